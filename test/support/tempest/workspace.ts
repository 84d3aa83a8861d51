import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PASSWORD } from '../keystone/administration.ts';
import type { Asked } from '../name-servers/dig.ts';

/** Where Debian has the plugin, and what it leaves out of it. */
const PLUGIN = '/usr/lib/python3/dist-packages/designate_tempest_plugin';
const MISSING_FILES = resolve('test/tempest/data/designate_tempest_plugin');
const TO_INSTALL =
  'The test suite is missing. On Debian: apt-get install --no-install-recommends tempest designate-tempest-plugin.';

/** How long tempest may wait for anything, in seconds. */
const PATIENCE_S = 120;

/** What tempest has to know. */
export interface Cloud {
  readonly keystone: { readonly url: string };
  readonly server: Asked;
}

/** Where one run of tempest has its files. */
export interface Workspace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

function configuration(folder: string, { keystone, server }: Cloud): string {
  return `[DEFAULT]
log_dir = ${folder}
log_file = tempest.log
[oslo_concurrency]
lock_path = ${folder}/locks
[auth]
use_dynamic_credentials = true
admin_username = admin
admin_password = ${PASSWORD}
admin_project_name = admin
admin_domain_name = Default
admin_system = all
create_isolated_networks = false
tempest_roles = member
[identity]
auth_version = v3
uri_v3 = ${keystone.url}/v3
region = RegionOne
[service_available]
cinder = false
glance = false
horizon = false
neutron = false
nova = false
swift = false
[dns]
nameservers = ${server.host}:${server.port}
query_timeout = 5
build_interval = 0
build_timeout = ${PATIENCE_S}
[dns_feature_enabled]
api_v2_root_recordsets = true
api_v2_quotas = true
api_v2_quotas_verify_project = true
`;
}

const STESTR = `[DEFAULT]
test_path = /usr/lib/python3/dist-packages/tempest/test_discover
top_dir = /usr/lib/python3/dist-packages
group_regex = ([^.]*\\.)*
`;

/** Lays the plugin out in a folder, with the files that Debian leaves out, beside a configuration for one cloud. */
export function makeWorkspace(folder: string, cloud: Cloud): Workspace {
  if (!existsSync(PLUGIN)) throw new Error(TO_INSTALL);
  const packages = join(folder, 'packages');
  const plugin = join(packages, 'designate_tempest_plugin');
  mkdirSync(join(folder, 'locks'));
  cpSync(PLUGIN, plugin, { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
  cpSync(MISSING_FILES, plugin, { recursive: true });
  writeFileSync(join(folder, 'tempest.conf'), configuration(folder, cloud));
  writeFileSync(join(folder, '.stestr.conf'), STESTR);
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C.UTF-8',
    HOME: folder,
    PYTHONPATH: packages,
    PYTHONDONTWRITEBYTECODE: '1',
    TEMPEST_CONFIG_DIR: folder,
  };
  return { folder, env };
}
