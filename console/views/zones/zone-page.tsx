import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiResponse } from '../../api/client.ts';
import { type Fetched, useFetched, useWatch } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Zone } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Facts } from '../../parts/facts.tsx';
import { announce, ProblemNotice } from '../../parts/notice.tsx';
import { Status } from '../../parts/status.tsx';
import { DnsName, grouped, Text, Time, unicodeOf, visible } from '../../parts/text.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { hrefOf, type Place } from '../../place.ts';
import { OfferDialog } from './offer-dialog.tsx';
import { onBehalf } from './on-behalf.ts';
import { readZone } from './one-zone.ts';
import { Recordsets } from './recordsets.tsx';
import { exportZone } from './zone-export.ts';
import { ZonePropertiesDialog } from './zone-properties-dialog.tsx';
import { ZonePublicationCard } from './zone-publication.tsx';
import { ZoneSharesCard } from './zone-shares.tsx';

function useZone(session: Session, id: string): Fetched<ApiResponse<Zone>> {
  const zone = useFetched((signal) => readZone(session, id, signal), [id]);
  useWatch(zone, zone.data?.data.status === 'PENDING');
  return zone;
}

function SoaTimers({ timers }: { readonly timers: Zone['soa'] }) {
  if (timers === undefined) return <span class="quiet">default</span>;
  const { refresh, retry, expire, minimum } = timers;
  return (
    <>
      refresh {grouped(refresh)}, retry {grouped(retry)}, expire {grouped(expire)}, minimum {grouped(minimum)}{' '}
      seconds
    </>
  );
}

function PropertiesCard({ zone }: { readonly zone: Zone }) {
  return (
    <section class="card">
      <h2>Properties</h2>
      <Facts
        facts={[
          ['Email', <Text text={zone.email} />],
          ['TTL', `${grouped(zone.ttl)} seconds`],
          ['Serial', zone.serial],
          ...(zone.type === 'PRIMARY' ? [['SOA timers', <SoaTimers timers={zone.soa} />] as const] : []),
          [
            'Description',
            zone.description ? <Text text={zone.description} /> : <span class="quiet">none</span>,
          ],
          ['Type', zone.type],
          ['Project', <Text text={zone.project_id} />],
          ['Created', <Time at={zone.created_at} />],
          ['Updated', <Time at={zone.updated_at} />],
          ['ID', <code>{zone.id}</code>],
        ]}
      />
    </section>
  );
}

type Opened = 'properties' | 'offer' | undefined;

function Head({
  session,
  zone,
  onOpen,
}: {
  readonly session: Session;
  readonly zone: Zone;
  onOpen(what: Opened): void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const write = useAction(async () => {
    await exportZone(zone, onBehalf(session));
    announce(
      <>
        Downloaded the zone file of <Text text={zone.name} />
      </>,
    );
  });
  useEffect(() => {
    document.title = `${visible(unicodeOf(zone.name))} · Zonewarden`;
    // If the link that led here is gone, move the focus to the heading, so that screen readers announce the page.
    if (document.activeElement === document.body) heading.current?.focus();
  }, [zone.name]);
  return (
    <>
      <header class="view-head">
        <div class="title">
          <h1 tabIndex={-1} ref={heading}>
            <DnsName name={zone.name} />
          </h1>
          <p aria-live="polite">
            <Status status={zone.status} action={zone.action} />
          </p>
        </div>
        <div class="buttons">
          {may(session, 'create_zone_export') && (
            <button type="button" onClick={() => void write.run()} disabled={write.isRunning}>
              Download zone file
            </button>
          )}
          {may(session, 'create_zone_transfer_request') && (
            <button type="button" onClick={() => onOpen('offer')}>
              Offer zone
            </button>
          )}
          {may(session, 'update_zone') && (
            <button type="button" onClick={() => onOpen('properties')}>
              Edit zone
            </button>
          )}
        </div>
      </header>
      <ProblemNotice problem={write.problem} />
    </>
  );
}

/** One zone: its properties, name servers, shares and recordsets. */
export function ZonePage({
  session,
  place,
  id,
  below,
}: {
  readonly session: Session;
  readonly place: Place;
  readonly id: string;
  /** The remaining path segments: the open recordset. */
  readonly below: readonly string[];
}) {
  const found = useZone(session, id);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const zone = found.data?.data;
  if (found.data === undefined || zone === undefined) {
    return (
      <>
        <h1 tabIndex={-1}>Zone</h1>
        <Waiting isSlow={found.isSlow} />
        <ProblemNotice problem={found.problem?.kind === 'refused' ? found.problem : undefined} />
        <p>
          <a href={hrefOf('zones')}>Back to zones</a>
        </p>
      </>
    );
  }
  return (
    <>
      <Head session={session} zone={zone} onOpen={setOpened} />
      <div class="cards">
        <PropertiesCard zone={zone} />
        <ZonePublicationCard session={session} zone={zone} />
        {may(session, 'share_zone') && <ZoneSharesCard session={session} zone={zone} />}
      </div>
      <Recordsets
        session={session}
        zone={zone}
        place={{ path: `zones/${id}`, query: place.query }}
        opened={below[0]}
        onChanged={found.again}
      />
      {opened === 'offer' && <OfferDialog session={session} zone={zone} onClose={close} />}
      {opened === 'properties' && (
        <ZonePropertiesDialog
          session={session}
          read={found.data}
          onChanged={() => {
            announce(
              <>
                Saved <Text text={zone.name} />
              </>,
            );
            close();
            found.again();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
