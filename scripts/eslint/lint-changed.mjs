// ESLint for changed files, and for their importers if those see a difference. Types come from a program of just these
// files and what they import: the project service loads every source first, which takes longer than the rules.
import { existsSync } from "node:fs";
import { ESLint } from "eslint";
import typescript from "typescript";
import { isSource, passedText } from "../prepare/changes.mjs";
import { importersOf } from "./importers.mjs";

const { config } = typescript.readConfigFile("tsconfig.json", (path) => typescript.sys.readFile(path));
const parsed = typescript.parseJsonConfigFileContent(config, typescript.sys, process.cwd());
const ambient = parsed.fileNames.filter((path) => path.endsWith(".d.ts"));
/** With declarations: importers see nothing else of a file. */
const options = { ...parsed.options, noEmit: false, declaration: true, emitDeclarationOnly: true };
const parsedFiles = new Map();

const changed = process.argv.slice(2).filter(isSource);
const present = changed.filter((path) => existsSync(path) && !path.endsWith(".json"));
const importers = importersOf(changed);
const now = programOf(present);
const concerned = changedForImporters().flatMap((path) => importers.get(path));
const files = [...new Set([...present, ...concerned])];
if (files.length > 0) await lint(files, concerned.length > 0 ? programOf(files) : now);

/** The changed files whose importers may get another verdict. */
function changedForImporters() {
  const imported = changed.filter((path) => importers.get(path).length > 0);
  const comparable = imported.filter((path) => /\.tsx?$/.test(path) && existsSync(path));
  if (comparable.length === 0) return imported;
  const before = programOf(comparable, new Map(comparable.map((path) => [path, passedText(path) ?? ""])));
  return imported.filter((path) => {
    const declared = comparable.includes(path) ? declarationsOf(now, path) : undefined;
    return declared === undefined || declared !== declarationsOf(before, path);
  });
}

/** A program of these files; some may have another text than on the disk. */
function programOf(paths, texts = new Map()) {
  const host = typescript.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...rest) => {
    const text = texts.get(name);
    if (text !== undefined) return typescript.createSourceFile(name, text, version);
    if (!parsedFiles.has(name)) parsedFiles.set(name, getSourceFile(name, version, ...rest));
    return parsedFiles.get(name);
  };
  return typescript.createProgram([...paths, ...ambient], options, host);
}

/** What importers see of a file, with its comments; undefined if TypeScript can't write it down. */
function declarationsOf(program, path) {
  let declared;
  const write = (_name, text) => (declared = text);
  program.emit(program.getSourceFile(path), write, undefined, true);
  return declared;
}

async function lint(paths, program) {
  const eslint = new ESLint({
    overrideConfig: {
      files: ["**/*.{ts,tsx}"],
      languageOptions: { parserOptions: { projectService: false, programs: [program] } },
    },
    warnIgnored: false,
  });
  const results = await eslint.lintFiles(paths);
  const formatter = await eslint.loadFormatter("stylish");
  process.stdout.write(await formatter.format(results));
  process.exitCode = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0) ? 1 : 0;
}
