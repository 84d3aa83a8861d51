import { formatAddress } from '../../model/pools/pool.ts';
import type { ServerFiles, ServerSetting } from './setting.ts';

/** The file `pdns.conf`. docs/name-servers.md explains its options. */
export function powerDnsConfiguration({ listen, directory }: ServerSetting): string {
  return `launch=gsqlite3
gsqlite3-database=${directory}/pdns.sqlite3
gsqlite3-dnssec=no
gsqlite3-pragma-journal-mode=WAL
local-address=${listen.host}
local-port=${listen.port}
secondary=yes
xfr-cycle-interval=2
zone-cache-refresh-interval=1
`;
}

/** The commands that create the database with the key and the catalog; the secret is in `$SECRET`. */
export function powerDnsSetup({ primary, key, catalog, directory, isInFolder }: ServerSetting): string {
  const database = `${directory}/pdns.sqlite3`;
  const pdnsutil = isInFolder ? `pdnsutil --config-dir=${directory}` : 'pdnsutil';
  return `sqlite3 ${database} < /usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql
sqlite3 ${database} "
  CREATE TRIGGER member_settings AFTER INSERT ON domains WHEN NEW.name <> '${catalog}' BEGIN
    INSERT INTO domainmetadata (domain_id, kind, content) VALUES (NEW.id, 'AXFR-MASTER-TSIG', '${key.name}'), (NEW.id, 'IXFR', '1');
  END"
${pdnsutil} import-tsig-key ${key.name} ${key.algorithm} "$SECRET"
${pdnsutil} create-secondary-zone ${catalog} ${formatAddress(primary)}
${pdnsutil} set-kind ${catalog} consumer
${pdnsutil} activate-tsig-key ${catalog} ${key.name} secondary
${isInFolder ? '' : `chown -R pdns:pdns ${directory}\n`}`;
}

function startScript(setting: ServerSetting): string {
  const { directory, key } = setting;
  const database = `${directory}/pdns.sqlite3`;
  const options = `--config-dir=${directory} --socket-dir=${directory}`;
  return `# Creates the database if it does not exist, and starts PowerDNS.
set -eu
umask 077
if [ ! -e ${database} ]; then
trap 'rm -f ${database}' EXIT
SECRET='${key.secret}'
${powerDnsSetup(setting)}trap - EXIT
fi
exec pdns_server ${options} --guardian=no --daemon=no --disable-syslog
`;
}

export function powerDnsFiles(setting: ServerSetting): ServerFiles {
  return {
    files: { 'pdns.conf': powerDnsConfiguration(setting), 'start.sh': startScript(setting) },
    folders: [],
    command: (folder) => `sh ${folder}/start.sh`,
  };
}
