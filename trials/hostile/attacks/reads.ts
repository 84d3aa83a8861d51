import { request } from 'node:http';
import { type Client, expectSuccess } from '../../../test/support/client.ts';
import { type Answers, type Attack, atOnce, pause } from '../attack.ts';
import { makeZone, type Site } from '../site.ts';

/** 64,000 bytes, as one TXT record. */
const TEXT = `"${'a'.repeat(250)}" `.repeat(253).trim();
/** As many of them as the default size of a zone has room for. */
const TEXTS_OF_A_ZONE = 120;

async function makeTexts(client: Client, zones: number, texts: number): Promise<string[]> {
  const ids: string[] = [];
  for (let zone = 0; zone < zones; zone += 1) {
    const name = `hostile-${zone}.example.`;
    const id = await makeZone(client, name);
    ids.push(id);
    for (let at = 0; at < texts; at += 1) {
      const recordset = { name: `n${at}.${name}`, type: 'TXT', records: [TEXT] };
      await expectSuccess(client, 'POST', `/v2/zones/${id}/recordsets`, recordset);
    }
  }
  return ids;
}

/** Sends one read so many times at once. */
function asking(
  attack: Pick<Attack, 'name' | 'title'>,
  parallel: number,
  path: string,
  texts: { readonly zones: number; readonly texts: number },
): Attack {
  return {
    ...attack,
    async prepare(site) {
      const attacker = site.client('attacker', parallel);
      await makeTexts(attacker, texts.zones, texts.texts);
      return (answers) => atOnce(parallel, () => answers.ask(attacker, 'GET', path));
    },
  };
}

/** Sends the request, and reads nothing of the answer. Its status, or why there is none. */
function askWithoutReading(site: Site, path: string): Promise<string> {
  const headers = { 'x-auth-token': site.token('attacker') };
  return new Promise((resolve) => {
    const asked = request(new URL(path, site.service.url), { headers, agent: false }, (answer) => {
      answer.pause();
      answer.on('error', () => {});
      resolve(`${answer.statusCode}, unread`);
    });
    asked.on('error', () => resolve('connection closed'));
    asked.end();
  });
}

/** Twelve clients ask again every second, and read nothing. */
function leavingUnread(
  name: string,
  title: string,
  path: (client: Client, ids: string[]) => Promise<string>,
): Attack {
  return {
    name,
    title,
    async prepare(site) {
      const attacker = site.client('attacker');
      const asked = await path(attacker, await makeTexts(attacker, 4, TEXTS_OF_A_ZONE));
      return async (answers: Answers) => {
        await atOnce(12, async () => answers.note(await askWithoutReading(site, asked)));
        await pause(1000);
      };
    },
  };
}

export const READ_ATTACKS: readonly Attack[] = [
  asking(
    {
      name: 'filter-long',
      title: 'a filter `data=*` with 15,500 characters, over 15 records of 64,000 bytes',
    },
    1,
    `/v2/recordsets?limit=1&data=*${'a'.repeat(15_500)}b`,
    { zones: 1, texts: 15 },
  ),
  asking(
    { name: 'filter-most', title: 'the longest filter that is allowed, over 500 such records, 20 at once' },
    20,
    `/v2/recordsets?limit=1&data=*${'a'.repeat(252)}b*`,
    { zones: 4, texts: TEXTS_OF_A_ZONE },
  ),
  asking({ name: 'list-large', title: 'lists of 30 MB, 4 at once' }, 4, '/v2/recordsets?limit=1000', {
    zones: 4,
    texts: TEXTS_OF_A_ZONE,
  }),
  asking(
    { name: 'list-many', title: 'pages of 20 records of 64,000 bytes, 600 at once' },
    600,
    '/v2/recordsets?limit=20',
    { zones: 1, texts: 30 },
  ),
  leavingUnread(
    'list-unread',
    '12 clients that do not read a list, again each second',
    async () => '/v2/recordsets?limit=1000',
  ),
  leavingUnread(
    'export-unread',
    '12 clients that do not read an export, again each second',
    async (client, [zone]) => {
      const { id } = await expectSuccess(client, 'POST', `/v2/zones/${zone}/tasks/export`);
      return `/v2/zones/tasks/exports/${id}/export`;
    },
  ),
];
