import type { ServiceProcess } from '../process.ts';

/** Of all projects, for whoever may see them. */
export const EVERYWHERE = { 'x-auth-all-projects': 'true' };

/** The names of all zones, page by page. */
export async function zoneNames(
  { request }: Pick<ServiceProcess, 'request'>,
  token: string,
): Promise<string[]> {
  const names: string[] = [];
  for (let marker = ''; ; ) {
    const path = `/v2/zones?limit=max${marker}`;
    const { status, json } = await request('GET', path, { token, headers: EVERYWHERE });
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}.`);
    if (json.zones.length === 0) return names;
    for (const { name } of json.zones) names.push(name);
    marker = `&marker=${json.zones.at(-1).id}`;
  }
}
