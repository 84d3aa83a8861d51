import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { output } from './packed.ts';

/** A folder that stands for a machine with systemd: commands of root's run there and touch nothing outside it. */
export interface Machine {
  /** Where the commands begin. */
  readonly home: string;
  /** Where the service of its systemd listens. */
  readonly url: string;
  /** What the service of its systemd has logged. */
  readonly log: string;
  /** Where a path of the machine is in truth. */
  at(path: string): string;
  /** Runs commands as they stand in a document, the first failure being the last one, and returns what they print. */
  run(commands: string): Promise<string>;
  /** Stops whatever its systemd runs. */
  stop(): Promise<void>;
}

export interface MachineOptions {
  /** The folder of its Node.js. */
  readonly node: string;
  /** A free port, which its service listens on instead of 9001. */
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Another machine, whose global packages it has, too. */
  readonly packagesOf?: Machine;
}

/** Where npm keeps global packages. */
const PREFIX = '/usr/local';

/** Runs what follows the user's name, as whoever runs the tests. */
const RUNUSER = `#!/bin/sh
shift 3
exec "$@"
`;

/** Does for one service what systemd does with its unit, but for the user and the confinement. */
const systemctl = (root: string) => `#!/bin/sh -eu
unit=${root}/etc/systemd/system/zonewarden.service
of_unit() { sed -n "s/^$1=//p" "$unit" | sed 's#/etc/#${root}/etc/#g; s#/var/lib/#${root}/var/lib/#g'; }
start() {
  install -d -m "$(of_unit StateDirectoryMode)" "${root}/var/lib/$(of_unit StateDirectory)"
  cd "$(of_unit WorkingDirectory)"
  umask "$(of_unit UMask)"
  setsid sh -c "exec $(of_unit ExecStart)" >>${root}/log 2>&1 </dev/null &
  echo $! >${root}/pid
}
stop() {
  test -e ${root}/pid || return 0
  kill -TERM "$(cat ${root}/pid)"
  tail --pid="$(cat ${root}/pid)" -f /dev/null
  rm ${root}/pid
}
case "$*" in
  daemon-reload) ;;
  'enable --now zonewarden' | 'start zonewarden') start ;;
  'stop zonewarden') stop ;;
  'restart zonewarden') stop; start ;;
  *) echo "unknown to this machine: systemctl $*" >&2; exit 1 ;;
esac
`;

/** Leaves out who a file is to belong to: a user of the machine's own is not made. */
const INSTALL = `#!/bin/bash
args=()
for word in "$@"; do
  if [[ "$word" == zonewarden && "\${args[-1]}" == -o ]]; then unset 'args[-1]'
  elif [[ ! "$word" =~ ^--(owner|group)= ]]; then args+=("$word"); fi
done
exec /usr/bin/install "\${args[@]}"
`;

/** Makes a machine of an empty folder. */
export function newMachine(root: string, { node, port, env = {}, packagesOf }: MachineOptions): Machine {
  const home = join(root, 'root');
  const stand = join(root, 'stand-ins');
  const prefix = packagesOf?.at(PREFIX) ?? join(root, PREFIX);
  for (const each of [home, stand, prefix, join(root, 'etc/systemd/system'), join(root, 'var/lib')]) {
    mkdirSync(each, { recursive: true });
  }
  const nothing = '#!/bin/sh\n';
  const programs = {
    systemctl: systemctl(root),
    runuser: RUNUSER,
    install: INSTALL,
    useradd: nothing,
    chgrp: nothing,
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(stand, name), text);
    chmodSync(join(stand, name), 0o755);
  }
  const at = (path: string) => join(root, path);
  const environment = {
    ...env,
    HOME: home,
    // Neither a registry nor what another run has fetched is there.
    npm_config_registry: 'http://127.0.0.1:1',
    npm_config_cache: join(home, '.npm'),
    npm_config_prefix: prefix,
    npm_config_userconfig: join(home, '.npmrc'),
    PATH: [stand, join(prefix, 'bin'), node, process.env.PATH].join(delimiter),
  };
  const here = (commands: string) =>
    commands
      .replaceAll('127.0.0.1:9001', `127.0.0.1:${port}`)
      .replace(/(?<![\w.$/-])\/(etc|var|root)\//g, `${root}/$1/`);
  const run = (commands: string) => output('sh', ['-euc', here(commands)], { cwd: home, env: environment });
  return {
    home,
    url: `http://127.0.0.1:${port}`,
    get log() {
      return readFileSync(join(root, 'log'), 'utf8');
    },
    at,
    run,
    async stop() {
      if (existsSync(join(root, 'pid'))) await run('systemctl stop zonewarden');
    },
  };
}
