"""Every call of openstacksdk for zones, recordsets, transfers, imports and exports; each step prints one line of JSON."""
import json
import sys

import openstack
from openstack import exceptions
from openstack.resource import wait_for_delete, wait_for_status


def say(step, value):
    print(json.dumps({step: value}))


def refusal(call):
    try:
        call()
    except exceptions.HttpException as error:
        return error.status_code
    except KeyError:
        return 'sends nothing'
    return None


def settled(dns, zone):
    wait_for_status(dns, dns.get_zone(zone), 'ACTIVE', ['ERROR'], interval=0.2, wait=100)


seller = openstack.connect(cloud='envvars')
buyer = openstack.connect(
    cloud='envvars', username='bob', project_name='blog', password='secret'
)
dns = seller.dns
ZONE = sys.argv[1]

zone = dns.create_zone(name=ZONE, email='a@example.org', ttl=600, description='text')
say('zone', [zone.name, zone.ttl, zone.status, zone.action])
settled(dns, zone)
say('found', [dns.find_zone(ZONE).id == zone.id, dns.find_zone('none.example.org.')])
changed = dns.update_zone(zone, ttl=700)
say('changed', [changed.ttl, changed.description])
more = [dns.create_zone(name=f'{n}.{ZONE}', email='a@example.org') for n in range(5)]
say('listed', sorted(each.name for each in dns.zones(limit=2, name=f'*{ZONE}')))

made = dns.create_recordset(zone, name=f'www.{ZONE}', type='A', records=['192.0.2.1'], ttl=60)
say('recordset', [made.name, made.records, made.ttl, made.zone_name])
again = dns.update_recordset(made, records=['192.0.2.2', '192.0.2.3'], description='two')
say('recordset changed', [again.records, again.description])
shown = dns.get_recordset(made.id, zone.id)
say('recordset shown', [shown.records, shown.type])
say('recordset found', dns.find_recordset(zone, f'www.{ZONE}', type='A').id == made.id)
say('recordsets', sorted(each.type for each in dns.recordsets(zone)))
say('duplicate', refusal(lambda: dns.create_recordset(zone, name=f'www.{ZONE}', type='A', records=['192.0.2.9'])))

export = dns.post(f'/zones/{zone.id}/tasks/export').json()
say('exports', [each.id == export['id'] for each in dns.zone_exports(zone_id=zone.id)])
say('export', dns.get_zone_export(export['id']).status)
text = dns.get(f"/zones/tasks/exports/{export['id']}/export").text
say('text', f'www.{ZONE}' in text)
dns.delete_zone_export(export['id'])
say('export gone', refusal(lambda: dns.get_zone_export(export['id'])))
file = f'$ORIGIN in-{ZONE}\n@ 300 IN SOA ns a 1 3600 600 86400 300\nwww 300 IN A 192.0.2.4\n'
task = dns.post('/zones/tasks/imports', data=file, headers={'content-type': 'text/dns'}).json()
say('imports', task['id'] in [each.id for each in dns.zone_imports(status='COMPLETE')])
say('import', [dns.get_zone_import(task['id']).status, dns.find_zone(f'in-{ZONE}') is not None])
dns.delete_zone_import(task['id'])
say('import gone', refusal(lambda: dns.get_zone_import(task['id'])))

for each in more:
    dns.delete_zone(each)
# A zone keeps its name until the name servers have deleted it.
for each in more:
    wait_for_delete(dns, each, interval=0.2, wait=100)

made_offer = dns.post(f'/zones/{zone.id}/tasks/transfer_requests', json={'description': 'text'}).json()
offer = dns.get_zone_transfer_request(made_offer['id'])
say('offer', [offer.status, offer.zone_id == zone.id, len(list(dns.zone_transfer_requests()))])
say(
    'faulty calls',
    [
        refusal(dns.create_zone_import),
        refusal(lambda: dns.create_zone_export(zone)),
        refusal(lambda: dns.get_zone_export_text(export['id'])),
        refusal(lambda: dns.create_zone_transfer_request(zone)),
        refusal(lambda: dns.update_zone_transfer_request(offer, description='other')),
    ],
)
taken = buyer.dns.create_zone_transfer_accept(zone_transfer_request_id=offer.id, key=offer.key)
say('taken', [taken.status, buyer.dns.get_zone_transfer_accept(taken.id).zone_id == zone.id])
say('moved', buyer.dns.get_zone(zone.id).project_id == buyer.current_project_id)
say('not mine', refusal(lambda: dns.get_zone(zone.id)))

# What Ansible's modules call.
own = seller.create_zone('cloud.example.org.', email='a@example.org', ttl=600, description='text')
say('cloud zone', [own.name, seller.get_zone('cloud.example.org.').id == own.id])
say('cloud update', seller.update_zone('cloud.example.org.', ttl=900)['ttl'])
entry = seller.create_recordset('cloud.example.org.', 'www.cloud.example.org.', 'A', ['192.0.2.1'], 'text', 60)
say('cloud recordset', [entry.name, seller.get_recordset('cloud.example.org.', entry.id).records])
seller.update_recordset('cloud.example.org.', entry.id, records=['192.0.2.2'])
say('cloud recordsets', [r.records for r in seller.search_recordsets('cloud.example.org.') if r.type == 'A'])
say('cloud deleted', [seller.delete_recordset('cloud.example.org.', entry.id), seller.delete_zone('cloud.example.org.')])

buyer.dns.delete_recordset(made.id, zone.id)
say('recordset gone', refusal(lambda: buyer.dns.get_recordset(made.id, zone.id)))
buyer.dns.delete_zone(zone)
say('end', True)
sys.stdout.flush()
