"""Designate's API and central in one process, over a bus in memory. Usage: run.py FOLDER PORT PASTE [CONNECTION]"""
import eventlet

eventlet.monkey_patch(os=False)

import sys  # noqa: E402

from alembic import command as alembic  # noqa: E402
import designate.conf  # noqa: E402
from designate import context, utils  # noqa: E402
from designate.api import service as api_service  # noqa: E402
from designate.central import service as central_service  # noqa: E402
from designate.manage import database  # noqa: E402
from designate.objects import PoolNsRecord, PoolNsRecordList  # noqa: E402
from oslo_config import cfg  # noqa: E402
from oslo_log import log as logging  # noqa: E402

folder, port, paste = sys.argv[1:4]
connection = (sys.argv[4:] or [f'sqlite:///{folder}/designate.sqlite'])[0]
file = f'{folder}/designate.conf'
with open(file, 'w') as configuration:
    configuration.write(f"""[DEFAULT]
transport_url = fake://
state_path = {folder}
host = here
quota_zones = 100000
[oslo_messaging_notifications]
driver = noop
[service:api]
auth_strategy = noauth
listen = 127.0.0.1:{port}
api_paste_config = {paste}
enable_api_v2 = True
[storage:sqlalchemy]
connection = {connection}
[oslo_concurrency]
lock_path = {folder}/locks
""")
CONF = designate.conf.CONF
utils.read_config('designate', ['designate', '--config-file', file])
CONF.import_opt('workers', 'designate.central', group='service:central')
cfg.CONF.import_group('keystone_authtoken', 'keystonemiddleware.auth_token')
logging.setup(CONF, 'designate')
alembic.upgrade(database.DatabaseCommands()._get_alembic_config(), 'heads')

central = central_service.Service()
central.start()
administrator = context.DesignateContext.get_admin_context(all_tenants=True)
pool = central.get_pool(administrator, CONF['service:central'].default_pool_id)
if not pool.ns_records:
    names = ['ns1.example.org.', 'ns2.example.org.']
    records = [PoolNsRecord(priority=place + 1, hostname=name) for place, name in enumerate(names)]
    pool.ns_records = PoolNsRecordList(objects=records)
    central.update_pool(administrator, pool)
api_service.Service().start()
print('ready', flush=True)
while True:
    eventlet.sleep(60)
