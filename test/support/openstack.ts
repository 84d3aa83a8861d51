import { execFile } from 'node:child_process';

/** How a run of the client ended. */
export interface Outcome {
  readonly status: number;
  /** What it printed as JSON; undefined when it printed nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly json: any;
  /** What it said on standard error. */
  readonly message: string;
}

const TO_INSTALL =
  'On Debian: apt-get install python3-openstackclient python3-designateclient. Elsewhere: pip install python-openstackclient python-designateclient.';

/** The environment without what would lead the client to another cloud, or through a proxy. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('OS_'));
  return { ...Object.fromEntries(own), NO_PROXY: '*', no_proxy: '*' };
}

function run(args: readonly string[]): Promise<{ status: number; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    execFile('openstack', args, { env: environment() }, (error, out, err) => {
      if (error === null) resolve({ status: 0, out, err });
      else if (typeof error.code === 'number') resolve({ status: error.code, out, err });
      else if (error.code === 'ENOENT')
        reject(new Error(`The command "openstack" is missing. ${TO_INSTALL}`));
      else reject(error);
    });
  });
}

/** @throws Error that says what to install, where the client or its part for DNS is missing */
export async function requireOpenstack(): Promise<void> {
  const { out } = await run(['help', 'zone', 'blacklist', 'create']);
  if (!out.includes('--pattern')) {
    throw new Error(
      `The command "openstack" has no "zone blacklist": its part for DNS is missing. ${TO_INSTALL}`,
    );
  }
}

/** A caller of the client: each call is one command, its words separated by spaces or given as a list. */
export function openstackWith(access: readonly string[]) {
  return async (command: string, ...more: string[]): Promise<Outcome> => {
    const { status, out, err } = await run([...access, ...command.split(' '), ...more]);
    return { status, json: /^\s*[[{]/.test(out) ? JSON.parse(out) : undefined, message: err.trim() };
  };
}

/** The same, for an endpoint and a token that it takes. */
export function openstackAs(endpoint: string, token: string) {
  return openstackWith(['--os-auth-type', 'admin_token', '--os-endpoint', endpoint, '--os-token', token]);
}
