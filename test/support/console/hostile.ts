/** Texts with which somebody tries to take over the page of somebody else, or to show what is not so. */
import type { Page } from 'playwright-core';
import type { Answer, ServiceProcess } from '../process.ts';
import type { Tokens } from './seeded.ts';

/** What each of them calls would be seen among the complaints of the page. */
const MARKUP = '<img src=x onerror="complain(\'ran\')"></script><script>complain("ran")</script>';
const TURNING = '\u202Elive\u202C \u2067שלום\u2069 مثال, 123!';
const CONTROLS = 'a\u0001b\u0007c\u009Bd\ne\tf\u200Bg';

/** All of it in one text of the greatest length. */
export function hostile(length: number): string {
  return `${MARKUP} ${TURNING} ${CONTROLS} `.padEnd(length, 'x').slice(0, length);
}

/** As much of a text as is seen of it where what cannot be seen has its number. */
export const SHOWN = '⟨U+202E⟩live⟨U+202C⟩';

export interface Stored {
  readonly zone: string;
  readonly recordset: string;
  readonly entry: string;
}

/** Stores such a text in every field that takes it. */
export async function storeHostile(service: ServiceProcess, { member }: Tokens): Promise<Stored> {
  const send = async (token: string, method: string, path: string, body: unknown): Promise<Answer> => {
    const headers = typeof body === 'string' ? { 'content-type': 'text/plain' } : {};
    const answer = await service.request(method, path, { token, body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.json)}`);
    return answer;
  };
  const description = hostile(1024);
  const own = (path: string, body: unknown) => send(member, 'POST', path, body);
  const asAdmin = (path: string, body: unknown) => send(service.admin, 'POST', path, body);
  const long = `${'l'.repeat(63)}.`.repeat(3);
  const zone = await own('/v2/zones', {
    name: `مثال-${'א'.repeat(20)}.example.`,
    email: `"><b>${'e'.repeat(200)}@example.org`,
    description,
  });
  await own('/v2/zones', { name: `${long}example.net.`, email: 'a@example.org', description });
  const inZone = `/v2/zones/${zone.json.id}`;
  const recordset = await own(`${inZone}/recordsets`, {
    name: `${'r'.repeat(63)}.${zone.json.name}`,
    type: 'TXT',
    records: [
      `"<img src=x onerror=complain(1)> ${'t'.repeat(200)}"`,
      `"${'u'.repeat(255)}" "${'v'.repeat(255)}"`,
    ],
    description,
  });
  await own(`${inZone}/tasks/transfer_requests`, { description });
  await own(`${inZone}/shares`, { target_project_id: 'p'.repeat(64) });
  const entry = await asAdmin('/v2/blacklists', {
    pattern: `hostile|${hostile(4088).replace(/[\\()[\]{}*+?.^$|]/g, '.')}`.slice(0, 4096),
    description,
    exceptions: [{ project_id: 'shop', name: null, description, expires_at: null }],
  });
  await service.create('hostile.example.', member);
  await asAdmin('/v2/pools', {
    name: hostile(255),
    description,
    ns_records: [{ hostname: 'ns1.example.net.', priority: 1 }],
  });
  await asAdmin('/v2/tokens', {
    project_id: 'p'.repeat(64),
    roles: ['member'],
    user_id: 'u'.repeat(64),
    description,
  });
  await send(service.admin, 'PATCH', `/v2/quotas/${'p'.repeat(64)}`, { zones: 2_000_000_000 });
  await asAdmin(`/v2/blacklists/import?format=exact&list=${'l'.repeat(64)}`, 'one.example\n');
  return { zone: zone.json.id, recordset: recordset.json.id, entry: entry.json.id };
}

/** Runs in the page. What is typed, and what is chosen from, is not looked at: nothing stands beside it. */
const LOOK = `(() => {
  const hidden = /[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]/u;
  const turning = /[\\p{Script=Hebrew}\\p{Script=Arabic}]/u;
  const isIsolated = ({ parentElement }) => {
    const isolate = parentElement.closest('bdi');
    return isolate !== null && /isolate|plaintext/.test(getComputedStyle(isolate).unicodeBidi);
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (data.trim() === '' || parentElement.closest('textarea, script, style') !== null) continue;
    if (hidden.test(data)) found.push('hidden: ' + data.slice(0, 80));
    else if (turning.test(data) && !isIsolated(texts.currentNode)) found.push('not isolated: ' + data.slice(0, 80));
  }
  for (const element of document.querySelectorAll('*'))
    for (const name of ['title', 'aria-label', 'placeholder'])
      if (hidden.test((element.getAttribute(name) ?? '').replaceAll('\\n', ''))) found.push('hidden in ' + name);
  if (hidden.test(document.title)) found.push('hidden in the title');
  if (document.querySelector('main img, main b, main script, dialog img') !== null) found.push('markup');
  return found;
})()`;

/** What of a text of others is hidden on the page, may turn what stands beside it, or has become a part of the page. */
export function deceptionsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(LOOK);
}
