import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf } from '../../../src/http/openapi/document.ts';
import { DYNDNS_ON } from '../../support/dyndns.ts';
import { everyRoute } from '../../support/routes.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const EVERYTHING = { ...DYNDNS_ON, ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService(EVERYTHING);
});
afterAll(() => service.remove());

describe('GET /v2/openapi.json', () => {
  it('describes the routes that serve, for anyone', async () => {
    const { status, headers, json } = await service.request('GET', '/v2/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const expected = documentOf(everyRoute(), { publicUrl: '', accessDeniedStatus: 401 });
    expect(json).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it('has no example that is a mere placeholder', () => {
    const placeholders: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (value === 'text') placeholders.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value)) look(part, `${path} ${key}`);
    };
    look(documentOf(everyRoute(), { publicUrl: '', accessDeniedStatus: 401 }).paths, '');
    expect(placeholders).toEqual([]);
  });

  it('leaves out what is not served, and says where the service is if it is told', async () => {
    await service.restart({ ZONEWARDEN_SERVICE_API__PUBLIC_URL: 'https://dns.example.org' });
    const { json } = await service.request('GET', '/v2/openapi.json');
    expect(Object.keys(json.paths).filter((path) => path.startsWith('/v1'))).toEqual([]);
    expect(json.servers).toEqual([{ url: 'https://dns.example.org' }]);
    await service.restart(EVERYTHING);
    expect((await service.request('GET', '/v2/openapi.json')).json.servers).toEqual([{ url: '/' }]);
  });
});
