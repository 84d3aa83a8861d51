import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealed } from './events.ts';
import { eventually } from './eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from './process.ts';
import { startReceiver, type TestReceiver } from './receiver.ts';
import { inStoreOf } from './store.ts';

/** What the requests of the services here are signed with. */
export const SECRETS = [3, 5].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
/** In the URL of the receiver. */
export const HIDDEN = 'hidden-in-the-query';

/** Services in processes of their own that send their events to one receiver, from the first one on. */
export interface SendingServices {
  readonly receiver: TestReceiver;
  /** The data folder of a service. */
  folderOf(name: string): string;
  start(name?: string): Promise<ServiceProcess>;
  /** Creates so many zones. */
  create(service: ServiceProcess, count: number, token?: string): Promise<void>;
  /** The events of the first service, in their order. */
  ids(): Promise<readonly string[]>;
  /** Waits until each event was taken, and returns them. */
  untilAllTaken(): Promise<readonly string[]>;
  /** The ids that were taken, in the order of the first times. */
  firstTaken(): readonly string[];
  close(): Promise<void>;
}

export async function sendingServices(): Promise<SendingServices> {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  const running: ServiceProcess[] = [];
  const [secrets, key] = [join(folder.path, 'secrets'), join(folder.path, 'events.key')];
  writeFileSync(secrets, SECRETS.join('\n'));
  writeFileSync(key, 'ab'.repeat(32));
  const env = {
    ZONEWARDEN_WEBHOOK_ONE__URL: `${receiver.url}?token=${HIDDEN}`,
    ZONEWARDEN_WEBHOOK_ONE__SECRET_FILE: secrets,
    ZONEWARDEN_WEBHOOK_ONE__ALLOW_PRIVATE: 'true',
    ZONEWARDEN_WEBHOOK_ONE__FROM: 'start',
    ZONEWARDEN_EVENTS__KEY_FILE: key,
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'trace',
  };
  let zones = 0;
  const folderOf = (name: string) => join(folder.path, name);
  const services: SendingServices = {
    receiver,
    folderOf,
    async start(name = 'first') {
      const service = await startProcess({ dataDir: folderOf(name), env });
      running.push(service);
      return service;
    },
    async create(service, count, token) {
      for (let done = 0; done < count; done++) {
        const { status } = await service.create(`webhook-${zones++}.example.`, token);
        if (status !== 202) throw new Error(`A zone was answered ${status}.`);
      }
    },
    async ids() {
      await sealed(folderOf('first'));
      const rows = await inStoreOf(folderOf('first'), 'select id from events order by position');
      return rows.map(({ id }) => String(id));
    },
    async untilAllTaken() {
      const ids = await services.ids();
      await eventually(() => {
        const taken = new Set(receiver.taken.map(({ id }) => id));
        return ids.every((id) => taken.has(id)) ? true : undefined;
      });
      return ids;
    },
    firstTaken: () => [...new Set(receiver.taken.map(({ id }) => id))],
    async close() {
      await Promise.all(running.map((service) => service.end('SIGKILL')));
      await receiver.kill();
      folder.remove();
    },
  };
  return services;
}
