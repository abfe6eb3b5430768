/** How long this process computes for a piece of work, in ms: what others do on the machine meanwhile doesn't count. */
export async function computingTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
