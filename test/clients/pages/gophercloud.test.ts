import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { account, type Desk, follow, newDesk, resolved, shown } from '../../support/clients/page.ts';
import { withOwn } from '../../support/name-servers/document.ts';

const SOURCE = '/usr/share/gocode/src/github.com/gophercloud/gophercloud';
const TOOLS = 'acceptance/tools/tools.go';
const ZONES = 'acceptance/openstack/dns/v2/dns.go';
const PATIENCE = { timeout: 600_000 };

let desk: Desk;
beforeAll(() => {
  desk = newDesk();
});
afterAll(() => desk?.remove());

interface Outcome {
  readonly test: string;
  readonly passed: boolean;
  /** What a failure says, without its colours. */
  readonly said: readonly string[];
}

/** Compiles the acceptance tests, with other files in the place of some, and runs them. */
async function runAcceptanceTests(replaced: Readonly<Record<string, string>>): Promise<readonly Outcome[]> {
  const files = Object.entries(replaced).map(([name, text], number) => {
    const file = join(desk.folder, `replaced-${number}.go`);
    writeFileSync(file, text);
    return [join(SOURCE, name), file];
  });
  const overlay = join(desk.folder, 'overlay.json');
  writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(files) }));
  const { out, err } = await desk.sh(`${account()}
export OS_DOMAIN_NAME=Default GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=${desk.folder}/cache OS_DNS_ENVIRONMENT=1
cd ${SOURCE}
go test -c -tags acceptance -overlay ${overlay} -o ${desk.folder}/dns.test ./acceptance/openstack/dns/v2
cd && ./dns.test -test.v || true`);
  const parts = out.split(/^=== RUN {3}/m).slice(1);
  if (parts.length === 0) throw new Error(`No test ran: ${err}${out}`);
  return parts.map((text) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    const plain = text.replaceAll(/\u001b\[[\d;]*m/g, '');
    const [test = ''] = plain.split('\n');
    return {
      test,
      passed: plain.includes(`--- PASS: ${test} `),
      said: plain.match(/Failure in .*/g) ?? [],
    };
  });
}

/** The tests that the page lists, each with what it says of them. */
function listed(): readonly (readonly string[])[] {
  const rows = readFileSync('docs/clients/gophercloud.md', 'utf8').match(/^\| `.*$/gm) ?? [];
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, 4)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

it('does what the page shows', PATIENCE, async () => {
  const section = 'Zones and recordsets';
  expect(await follow(desk, 'gophercloud', section)).toBe(shown('gophercloud', section));
  expect(await resolved('www.go.example.org.', 'A')).toEqual(['192.0.2.80']);
});

it(
  'fails those of its acceptance tests that the page lists, all for the case of a name',
  PATIENCE,
  async () => {
    const outcomes = await runAcceptanceTests({});
    const expected = listed().map(([test, asItStands]) => [test, asItStands]);
    expect(
      outcomes.map(({ test, passed }) => [test, passed ? 'passes' : "fails: the name's case"]).sort(),
    ).toEqual(expected.sort());
    for (const { test, said } of outcomes) {
      const [, shownName = '', sentName = ''] = /expected "(.*)" but got "(.*)"/.exec(said.join('\n')) ?? [];
      expect([said.length, shownName, sentName !== shownName], test).toEqual([
        1,
        sentName.toLowerCase(),
        true,
      ]);
    }
  },
);

it('passes all of them with names of lower case', PATIENCE, async () => {
  const source = (name: string) => readFileSync(join(SOURCE, name), 'utf8');
  const outcomes = await runAcceptanceTests({
    [TOOLS]: withOwn(source(TOOLS), { ABCDEFGHIJKLMNOPQRSTUVWXYZabc: 'abc' }),
    [ZONES]: withOwn(source(ZONES), { ACPTTEST: 'acpttest' }),
  });
  expect(outcomes.map(({ test, passed }) => [test, passed ? 'passes' : 'fails']).sort()).toEqual(
    listed()
      .map(([test, , lower]) => [test, lower])
      .sort(),
  );
  expect(outcomes.length).toBeGreaterThan(0);
});
