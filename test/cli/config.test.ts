import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OPTIONS, variableOf } from '../../src/config/options.ts';
import { startProcess, temporaryFolder, zonewarden } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

function file(content: string): string {
  const path = join(folder.path, 'zonewarden.conf');
  writeFileSync(path, content);
  return path;
}

/** What is set, without the comments that say by what. */
const values = <Answer extends { readonly out: string }>(answer: Answer): Answer => ({
  ...answer,
  out: answer.out.replace(/^# (Default|Set by .*)\.\n/gm, ''),
});
const print = (...args: string[]) => runHere(['config', 'print', ...args]);

describe('config print', () => {
  it('prints a list of addresses', async () => {
    const environment = { ZONEWARDEN_SERVICE_MDNS__LISTEN: '127.0.0.1:5354, [::1]:5354' };
    expect((await runHere(['config', 'print'], environment)).out).toContain(
      '\nlisten = 127.0.0.1:5354, [::1]:5354\n',
    );
  });

  it('shows no password', async () => {
    const environment = { ZONEWARDEN_STORAGE__CONNECTION: 'postgresql://shop:geheim@db.example/zones' };
    const printed = await runHere(['config', 'print'], environment);
    expect(printed).toMatchObject({ status: 0, err: '' });
    expect(printed.out).toContain('\nconnection = postgresql://shop@db.example/zones\n');
    expect(printed.out).not.toContain('geheim');
  });

  it.each([
    'postgresql://shop:ge/heim@db.example/zones',
    'postgresql://shop:ge?heim@db.example/zones',
    'postgresql://shop:ge#heim@db.example/zones',
    'postgresql://shop@db.example/zones?password=geheim@heim',
  ])('refuses %s, and does not show it', async (connection) => {
    const refused = await runHere(['config', 'print'], { ZONEWARDEN_STORAGE__CONNECTION: connection });
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(
      /^zonewarden: [^\n]*\[storage\] connection cannot be used\. [^\n]*%2F[^\n]*\n$/,
    );
    expect(refused.err).not.toContain('heim');
  });

  it('shows nothing of parameters that may hold a secret', async () => {
    const connection =
      'postgresql://shop@db.example/zones?sslmode=require&sslpassword=geheim&p%61ssword=geheim';
    const printed = await runHere(['config', 'print'], { ZONEWARDEN_STORAGE__CONNECTION: connection });
    expect(printed).toMatchObject({ status: 0, err: '' });
    expect(printed.out).toContain('\nconnection = postgresql://shop@db.example/zones?sslmode=require\n');
    expect(printed.out).not.toContain('geheim');
  });

  it('says of a connection that cannot be read where it stands, but not what it is', async () => {
    const environment = { ZONEWARDEN_STORAGE__CONNECTION: 'postgresql://shop:gehéim@db.example/zones' };
    const refused = await runHere(['config', 'print'], environment);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(
      /^zonewarden: the environment variable ZONEWARDEN_STORAGE__CONNECTION: [^\n]+\n$/,
    );
    expect(refused.err).not.toContain('shop');
  });

  it('prints the defaults as a file that brings them about again', async () => {
    const first = await zonewarden(['config', 'print']);
    expect(first).toMatchObject({ status: 0, err: '' });
    for (const { section, name } of Object.values(OPTIONS)) {
      expect(first.out).toContain(`[${section}]\n`);
      expect(first.out).toMatch(new RegExp(`^${name} =`, 'm'));
    }
    const second = await zonewarden(['--config', file(first.out), 'config', 'print']);
    expect(values(second)).toEqual(values(first));
  });

  it('prints what the file and the environment say, in one form, and prints it again from its own output', async () => {
    const text = [
      '\uFEFF# a comment',
      'data_dir = /srv/zone warden # kept',
      'quota_zones=-1\r',
      '; another comment',
      '[service:api]',
      'listen : [::1]:0',
      'public_url = https://dns.example.com/base/',
      'enabled_extensions_v1 = quotas,quotas,',
      'trusted_proxies = 10.0.0.0/8,::1',
      '[DEFAULT]',
      'ns_records = NS1.example.com., ns2.münchen.de.',
      '[storage]',
      'busy_timeout = 007',
    ].join('\n');
    const environment = { ZONEWARDEN_CONFIG: file(text), ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '7' };
    const first = await runHere(['config', 'print'], environment);
    expect(first).toMatchObject({ status: 0, err: '' });
    expect(first.out.split('\n')).toEqual(
      expect.arrayContaining([
        'data_dir = /srv/zone warden # kept',
        'quota_zones = -1',
        'quota_zone_records = 7',
        'listen = [::1]:0',
        'public_url = https://dns.example.com/base',
        'enabled_extensions_v1 = quotas',
        'trusted_proxies = 10.0.0.0/8, ::1',
        'ns_records = ns1.example.com., ns2.xn--mnchen-3ya.de.',
        'busy_timeout = 7',
      ]),
    );
    expect(values(await print('--config', file(first.out)))).toEqual(values(first));
  });

  it('says of each option whether it is the default, or else what sets it', async () => {
    const path = file(
      'quota_zones = 10\nlog_level = warn\n[webhook:billing]\nurl = https://billing.example/\n',
    );
    const environment = {
      ZONEWARDEN_DEFAULT__LOG_LEVEL: 'debug',
      ZONEWARDEN_WEBHOOK_BILLING__SECRET_FILE: '/etc/billing.secret',
      ZONEWARDEN_STORAGE__CONNECTION: 'postgresql://shop:geheim@db.example/zones',
    };
    const printed = await runHere(['--config', path, 'config', 'print'], environment);
    expect(printed).toMatchObject({ status: 0, err: '' });
    const source = (option: string) => {
      const lines = printed.out.split('\n');
      return lines[lines.findIndex((line) => line.startsWith(`${option} =`)) - 1];
    };
    expect(source('data_dir')).toBe('# Default.');
    expect(source('quota_zones')).toBe(`# Set by ${path}, line 1.`);
    expect(source('log_level')).toBe('# Set by the environment variable ZONEWARDEN_DEFAULT__LOG_LEVEL.');
    expect(source('connection')).toBe('# Set by the environment variable ZONEWARDEN_STORAGE__CONNECTION.');
    expect(source('url')).toBe(`# Set by ${path}, line 4.`);
    expect(source('secret_file')).toBe(
      '# Set by the environment variable ZONEWARDEN_WEBHOOK_BILLING__SECRET_FILE.',
    );
    expect(source('give_up_after')).toBe('# Default.');
    expect(printed.out).not.toContain('geheim');
    const byOption = await runHere(
      ['--log-level', 'error', '--config', path, 'config', 'print'],
      environment,
    );
    expect(byOption.out).toContain('# Set by --log-level.\nlog_level = error\n');
  });

  it('lets --config win over ZONEWARDEN_CONFIG, the environment over the file, and --log-level over all', async () => {
    const args = ['--config', file('log_level = warn\nquota_zones = 5\n'), 'config', 'print'];
    const environment = {
      ZONEWARDEN_CONFIG: '/nowhere.conf',
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '6',
    };
    expect((await runHere(args, environment)).out).toMatch(/^log_level = warn$[\s\S]*^quota_zones = 6$/m);
    expect((await runHere(['--log-level', 'error', ...args], environment)).out).toMatch(
      /^log_level = error$/m,
    );
  });
});

describe('a configuration that cannot be used: which option, and where', () => {
  const path = () => join(folder.path, 'zonewarden.conf');
  it.each<[string, string, string[]]>([
    ['a misspelt option', '[service:api]\nlistn = x\n', ['no option listn', 'Did you mean listen?']],
    ['an unknown option', '\n[service:api]\n\nport = 80\n', ['line 4', 'no option port', '[service:api]']],
    ['an option in another section', '[DEFAULT]\nlisten = 127.0.0.1:1\n', ['line 2', 'listen', '[DEFAULT]']],
    ['an unknown section', '[service:apo]\nlisten = 127.0.0.1:1\n', ['line 2', '[service:apo]']],
    [
      'an unknown extension',
      '[service:api]\nenabled_extensions_v1 = quotas, quoats',
      ['line 2', 'quoats', 'one of: quotas'],
    ],
    [
      'a number that is none',
      'quota_zones = ten\n',
      ['line 1', '[DEFAULT] quota_zones', '"ten"', '-1 to 2147483647'],
    ],
    ['a number out of range', '[service:api]\nmax_limit_v2 = 1001', ['line 2', 'max_limit_v2', '1 to 1000']],
    ['a fraction', 'default_ttl = 1.5', ['line 1', 'default_ttl', 'whole number']],
    ['an empty value', 'data_dir =\n', ['line 1', 'data_dir', 'Must not be empty']],
    ['a port out of range', '[service:api]\nlisten = 127.0.0.1:65536', ['listen', 'host:port']],
    ['an address without a port', '[service:api]\nlisten = 127.0.0.1', ['listen', 'host:port']],
    ['a URL with a query', '[service:api]\npublic_url = http://a/?b', ['public_url', 'without query']],
    ['a proxy by name', '[service:api]\ntrusted_proxies = proxy.example', ['trusted_proxies', 'CIDR']],
    ['a name server without its dot', 'ns_records = ns1.example.com', ['ns_records', 'must end with a dot']],
    ['no name server', 'ns_records = ,', ['ns_records', 'at least 1']],
    [
      'a status that is none',
      '[service:api]\naccess_denied_status = 404',
      ['access_denied_status', '401, 403'],
    ],
    [
      'an option that is set twice',
      'quota_zones = 1\n[DEFAULT]\nquota_zones = 2',
      ['line 3', 'quota_zones', 'line 1'],
    ],
    ['a line that is nothing', 'quota_zones = 1\nwhat is this\n', ['line 2', 'option = value']],
    [
      'limits that contradict each other',
      '[service:api]\nmax_limit_v2 = 10\n',
      ['default_limit_v2', 'max_limit_v2'],
    ],
    [
      'refresh times that contradict each other',
      'default_soa_refresh_min = 9999',
      ['default_soa_refresh_min', 'default_soa_refresh_max'],
    ],
  ])('%s', async (_what, content, parts) => {
    const { status, out, err } = await print('--config', file(content));
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    for (const part of parts) expect(err).toContain(part);
    if (parts[0]!.startsWith('line')) expect(err).toContain(path());
  });

  it('an unknown environment variable, or a bad value in a known one', async () => {
    const unknown = await runHere(['config', 'print'], { ZONEWARDEN_DEFAULT__QUOTA_ZONE: '1' });
    expect(unknown).toMatchObject({ status: 2, out: '' });
    expect(unknown.err).toMatch(
      /^zonewarden: [^\n]*ZONEWARDEN_DEFAULT__QUOTA_ZONE does not match any option[^\n]*\n$/,
    );
    for (const option of Object.values(OPTIONS)) {
      const variable = variableOf(option);
      const { status, out, err } = await runHere(['config', 'print'], { [variable]: 'a\nb' });
      expect({ variable, status, out }).toEqual({ variable, status: 2, out: '' });
      expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
      expect(err).toContain(
        `the environment variable ${variable}: [${option.section}] ${option.name} cannot be`,
      );
    }
  });

  it('a variable without its section, or misspelt in any other way; what is meant is named where that is known', async () => {
    const refusalOf = async (variable: string) => {
      const { status, out, err } = await runHere(['config', 'print'], { [variable]: '5' });
      expect({ status, out }).toEqual({ status: 2, out: '' });
      return err;
    };
    const hint = 'Did you mean ZONEWARDEN_DEFAULT__QUOTA_ZONES? See docs/configuration.md.\n';
    for (const variable of ['ZONEWARDEN_QUOTA_ZONES', 'ZONEWARDEN_STORAGE__QUOTA_ZONES']) {
      expect(await refusalOf(variable)).toBe(
        `zonewarden: The environment variable ${variable} does not match any option. ${hint}`,
      );
    }
    for (const [misspelt, meant] of [
      ['ZONEWARDEN_DEFUALT__QUOTA_ZONES', 'ZONEWARDEN_DEFAULT__QUOTA_ZONES'],
      ['ZONEWARDEN_DEFAULT__QUOTA_ZNES', 'ZONEWARDEN_DEFAULT__QUOTA_ZONES'],
      ['ZONEWARDEN_SERVICE_MDSN__LISTEN', 'ZONEWARDEN_SERVICE_MDNS__LISTEN'],
      ['ZONEWARDEN_CONFG', 'ZONEWARDEN_CONFIG'],
      ['ZONEWARDEN_WEBHOOK_BILLING__SECRET_FIEL', 'ZONEWARDEN_WEBHOOK_BILLING__SECRET_FILE'],
    ] as const) {
      expect(await refusalOf(misspelt)).toBe(
        `zonewarden: The environment variable ${misspelt} does not match any option. Did you mean ${meant}? See docs/configuration.md.\n`,
      );
    }
    expect(await refusalOf('ZONEWARDEN_CONFIGURATION')).toBe(
      'zonewarden: The environment variable ZONEWARDEN_CONFIGURATION does not match any option. See docs/configuration.md.\n',
    );
  });

  it('a file that is not there, or is a folder', async () => {
    mkdirSync(join(folder.path, 'sub'), { recursive: true });
    for (const path of ['missing.conf', 'sub'].map((name) => join(folder.path, name))) {
      const { status, err } = await print('--config', path);
      expect(status).toBe(2);
      expect(err).toMatch(/^zonewarden: The configuration file [^\n]+ cannot be read: [^\n]+\n$/);
      expect(err).toContain(path);
    }
  });

  it('stops the service as a process, too: one line, status 2, and no data folder is made', async () => {
    const dataDir = join(folder.path, 'untouched');
    const path = file(`data_dir = ${dataDir}\n[service:api]\nenabled_extensions_v1 = reports\n`);
    const { status, out, err } = await zonewarden(['serve', '--config', path]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]*line 3: \[service:api\] enabled_extensions_v1[^\n]*\n$/);
    expect(existsSync(dataDir)).toBe(false);
  });
});

it('takes quotas and extensions from the file, and from the environment after it', async () => {
  const path = file('quota_zones = 1\n');
  const dataDir = join(folder.path, 'data');
  const service = await startProcess({ dataDir, args: ['--config', path] });
  try {
    expect((await service.create('one.example.')).status).toBe(202);
    const refused = await service.create('two.example.');
    expect(refused).toMatchObject({ status: 413, json: { type: 'over_quota' } });
    expect((await service.request('GET', '/v1/quotas/admin', { token: service.admin })).status).toBe(404);
  } finally {
    await service.end('SIGKILL');
  }
  const raised = await startProcess({
    dataDir,
    env: {
      ZONEWARDEN_CONFIG: path,
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '2',
      ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    },
  });
  try {
    expect((await raised.create('two.example.')).status).toBe(202);
    expect((await raised.create('three.example.')).status).toBe(413);
    const quotas = await raised.request('GET', '/v1/quotas/admin', { token: raised.admin });
    expect(quotas).toMatchObject({ status: 201, json: { domains: 2 } });
  } finally {
    await raised.end('SIGKILL');
  }
});
