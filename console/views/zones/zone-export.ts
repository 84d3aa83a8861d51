import { api, dataOf } from '../../api/client.ts';
import { patiently } from '../../api/connection.ts';
import type { Zone, ZoneExport } from '../../api/types.ts';

/** Poll interval for an export, in milliseconds. */
const POLL = 300;
/** How long the browser may take to start a download, in milliseconds. */
const KEPT_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function whenWritten(begun: ZoneExport, headers: Record<string, string>): Promise<ZoneExport> {
  const params = { path: { zone_export_id: begun.id } };
  for (;;) {
    const present = await patiently(() =>
      dataOf(api.GET('/v2/zones/tasks/exports/{zone_export_id}', { params, headers })),
    );
    if (present.status !== 'PENDING') return present;
    await pause(POLL);
  }
}

/** Makes the browser save a file under a name. */
function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** Exports a zone to a zone file, and makes the browser save it. @throws Problem */
export async function exportZone({ id, name }: Zone, headers: Record<string, string>): Promise<void> {
  const begun = await dataOf(
    api.POST('/v2/zones/{zone_id}/tasks/export', { params: { path: { zone_id: id } }, headers }),
  );
  const written = await whenWritten(begun, headers);
  const params = { path: { zone_export_id: written.id } };
  const file: Blob = await dataOf(
    api.GET('/v2/zones/tasks/exports/{zone_export_id}/export', {
      params,
      headers: { ...headers, accept: 'text/dns' },
      parseAs: 'blob',
    }),
  );
  download(file, `${name}zone`);
}
