import type { ServiceProcess } from './process.ts';

/** Creates zones one after the other until told to stop; `acknowledged` grows. */
export function createZones(service: ServiceProcess, prefix: string) {
  const acknowledged: string[] = [];
  let stops = false;
  const work = async () => {
    for (let number = 0; !stops; number++) {
      const name = `${prefix}${number}.example.`;
      if ((await service.create(name)).status === 202) acknowledged.push(name);
    }
  };
  const ended = work();
  return {
    acknowledged,
    async stop() {
      stops = true;
      await ended;
    },
  };
}
