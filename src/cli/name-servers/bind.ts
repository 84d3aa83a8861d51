import type { ServerFiles, ServerSetting } from './setting.ts';

function listening({ listen: { host, port }, isInFolder }: ServerSetting): string {
  const at = port === 53 ? '' : `port ${port} `;
  const [own, other] = host.includes(':') ? ['listen-on-v6', 'listen-on'] : ['listen-on', 'listen-on-v6'];
  const apart = isInFolder ? `\n  ${other} { none; };\n  pid-file none;` : '';
  return `${own} ${at}{ ${host}; };${apart}`;
}

/** The file `named.conf`. docs/name-servers.md explains its options. */
export function bindConfiguration(setting: ServerSetting): string {
  const { primary, key, catalog, directory, isInFolder } = setting;
  const from = `${primary.host} port ${primary.port} key "${key.name}"`;
  return `key "${key.name}" {
  algorithm ${key.algorithm};
  secret "${key.secret}";
};

options {
  directory "${directory}";
  ${listening(setting)}
  recursion no;
  allow-transfer { key "${key.name}"; };
  notify no;

  // Members of a catalog are added while BIND runs.
  allow-new-zones yes;
  // By default BIND sends 20 SOA queries per second, and checks a zone at most every 300 s.
  serial-query-rate 1000;
  min-refresh-time 2;
  min-retry-time 1;
  transfers-in 100;
  transfers-per-ns 100;

  catalog-zones {
    zone "${catalog}"
      default-primaries { ${from}; }
      in-memory no
      zone-directory "${directory}"
      min-update-interval 0;
  };
};

zone "${catalog}" {
  type secondary;
  primaries { ${from}; };
  allow-notify { key "${key.name}"; };
  file "${catalog}.db";
};
${isInFolder ? '\ncontrols { };\n' : ''}`;
}

export function bindFiles(setting: ServerSetting): ServerFiles {
  return {
    files: { 'named.conf': bindConfiguration(setting) },
    folders: [],
    command: (folder) => `named -g -X none -c ${folder}/named.conf`,
  };
}
