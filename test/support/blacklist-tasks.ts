import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

/** A list of blacklists that an import has made, and the id of the import. Waits for its turn, and for its end. */
export async function importList(service: TestService, list: string, pattern: string): Promise<string> {
  const ask = (method: string, path: string, body?: string) =>
    service.request(method, path, { token: service.admin, body, headers: { 'content-type': 'text/plain' } });
  const { json: task } = await eventually(async () => {
    const answer = await ask('POST', `/v2/blacklists/import?list=${list}`, pattern);
    return answer.status === 409 ? undefined : answer;
  });
  await eventually(async () => {
    const { json } = await ask('GET', `/v2/blacklists/imports/${task.id}`);
    return json.status === 'ACTIVE' ? undefined : true;
  });
  return task.id;
}

/** The id of a preview of an entry that an administrator has made for a project, when it has ended. */
export async function endedPreview(
  service: TestService,
  projectId: string,
  blacklistId: string,
): Promise<string> {
  const as = { token: service.admin, headers: { 'x-auth-sudo-project-id': projectId } };
  const { json: made } = await eventually(async () => {
    const answer = await service.request('POST', '/v2/blacklists/previews', {
      ...as,
      body: { blacklist_id: blacklistId },
    });
    return answer.status === 409 ? undefined : answer;
  });
  await eventually(async () => {
    const { json } = await service.request('GET', `/v2/blacklists/previews/${made.id}`, as);
    return json.status === 'PENDING' || json.status === 'RUNNING' ? undefined : true;
  });
  return made.id;
}
