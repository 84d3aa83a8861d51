import type { ServerFiles, ServerSetting } from './setting.ts';

/** The file `knot.conf`. docs/name-servers.md explains its options. */
export function knotConfiguration(setting: ServerSetting): string {
  const { listen, primary, key, catalog, directory, isInFolder } = setting;
  return `server:
    rundir: "${isInFolder ? directory : '/run/knot'}"
${isInFolder ? '' : '    user: knot:knot\n'}    listen: ${listen.host}@${listen.port}

log:
  - target: ${isInFolder ? 'stderr' : 'syslog'}
    any: info

database:
    storage: "${directory}"

key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret}

remote:
  - id: zonewarden
    address: ${primary.host}@${primary.port}
    key: ${key.name}
    block-notify-after-transfer: on

acl:
  - id: notify-from-zonewarden
    address: ${primary.host}
    key: ${key.name}
    action: notify

template:
  - id: default
    storage: "${directory}/catalog"
  - id: member
    storage: "${directory}/members"
    master: zonewarden
    acl: notify-from-zonewarden

zone:
  - domain: ${catalog}
    master: zonewarden
    acl: notify-from-zonewarden
    catalog-role: interpret
    catalog-template: member
`;
}

export function knotFiles(setting: ServerSetting): ServerFiles {
  return {
    files: { 'knot.conf': knotConfiguration(setting) },
    folders: ['catalog', 'members'],
    command: (folder) => `knotd -c ${folder}/knot.conf`,
  };
}
