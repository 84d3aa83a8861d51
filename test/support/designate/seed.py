"""Fills the database of a Designate, which must not run meanwhile. Usage: seed.py FOLDER ZONES"""
import hashlib
import sqlite3
import sys
import uuid

POOL = '794ccc2cd75144feb57f8894c9f5c842'
NOW = '2026-01-02 03:04:05.000000'
SERIAL = 1767323045

database = sqlite3.connect(f'{sys.argv[1]}/designate.sqlite')


def insert(table, rows):
    names = ', '.join(rows[0])
    places = ', '.join('?' * len(rows[0]))
    database.executemany(f'insert into {table} ({names}) values ({places})', [tuple(row.values()) for row in rows])


def recordset(zone, name, kind, data, managed, ttl=None):
    row = dict(id=uuid.uuid4().hex, version=1, created_at=NOW, zone_shard=1, tenant_id=zone['tenant_id'],
               zone_id=zone['id'], name=name, type=kind, ttl=ttl, reverse_name=name[::-1])
    records = [dict(id=uuid.uuid4().hex, created_at=NOW, version=1, data=text, zone_id=zone['id'], managed=managed,
                    hash=hashlib.md5(f"{row['id']}:{text}".encode()).hexdigest(), status='ACTIVE',
                    tenant_id=zone['tenant_id'], recordset_id=row['id'], action='NONE', serial=SERIAL,
                    zone_shard=1) for text in data]
    return row, records


for number in range(int(sys.argv[2])):
    name = f'z{number}.example.org.'
    zone = dict(id=uuid.uuid4().hex, created_at=NOW, version=1, tenant_id=f'project-{number % 100}', name=name,
                email='hostmaster@example.org', ttl=3600, refresh=3600, retry=600, expire=86400, minimum=3600,
                serial=SERIAL + number, deleted='0', status='ACTIVE', action='NONE', pool_id=POOL,
                reverse_name=name[::-1], type='PRIMARY', shard=1, delayed_notify=0)
    soa = f'ns1.example.org. hostmaster.example.org. {SERIAL + number} 3600 600 86400 3600'
    sets = [
        recordset(zone, name, 'SOA', [soa], 1),
        recordset(zone, name, 'NS', ['ns1.example.org.', 'ns2.example.org.'], 1),
        recordset(zone, f'www.{name}', 'A', ['192.0.2.1', '192.0.2.2'], 0, 300),
        recordset(zone, f'www.{name}', 'AAAA', ['2001:DB8::1'], 0),
        recordset(zone, name, 'MX', ['10 mail.example.net.', '20 mail2.example.net.'], 0),
        recordset(zone, name, 'TXT', ['"v=spf1 -all"'], 0),
        recordset(zone, f'_sip._tcp.{name}', 'SRV', [f'0 5 5060 www.{name}'], 0),
    ]
    insert('zones', [zone])
    insert('recordsets', [row for row, _ in sets])
    insert('records', [record for _, records in sets for record in records])
# As MySQL makes them for foreign keys.
for column in ('recordset_id', 'zone_id'):
    database.execute(f'create index if not exists records_{column} on records ({column})')
database.commit()
