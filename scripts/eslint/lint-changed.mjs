// ESLint for the files named, with types from one program of just these and what they import. The project service loads
// every source of the portal first, tests too, which takes longer than the rules.
import { ESLint } from "eslint";
import typescript from "typescript";

const files = process.argv.slice(2);
const { config } = typescript.readConfigFile("tsconfig.json", (path) => typescript.sys.readFile(path));
const { fileNames, options } = typescript.parseJsonConfigFileContent(config, typescript.sys, process.cwd());
const ambient = fileNames.filter((path) => path.endsWith(".d.ts"));
const program = typescript.createProgram([...files, ...ambient], options);
const eslint = new ESLint({
  overrideConfig: {
    files: ["**/*.{ts,tsx}"],
    languageOptions: { parserOptions: { projectService: false, programs: [program] } },
  },
  warnIgnored: false,
});
const results = await eslint.lintFiles(files);
const formatter = await eslint.loadFormatter("stylish");
process.stdout.write(await formatter.format(results));
process.exitCode = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0) ? 1 : 0;
