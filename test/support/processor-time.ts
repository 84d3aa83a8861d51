/** What work takes of the processor, in milliseconds: unlike a clock it does not count the time that others had it. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
