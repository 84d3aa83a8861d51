import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

/** Script and style together, compressed. */
const MAX_BYTES = 150_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** As `fetch` does not: what was sent, not unpacked. */
async function get(path: string, encodings = '', method = 'GET'): Promise<Got> {
  const headers = encodings === '' ? {} : { 'accept-encoding': encodings };
  const asked = httpRequest(`${service.url}${path}`, { method, headers });
  asked.end();
  const [response] = await once(asked, 'response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) };
}

async function assetPaths(): Promise<readonly string[]> {
  const page = (await get('/console')).bytes.toString();
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
}

/** What is answered at `/`, without what differs from one request to the next. */
async function root(accept: string | undefined, at = service.url, method = 'GET') {
  const asked = httpRequest(`${at}/`, { method, headers: accept === undefined ? {} : { accept } });
  asked.end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const part of response) text += part;
  const { date: _, 'x-openstack-request-id': __, ...headers } = response.headers;
  return { status: response.statusCode, headers, text: text.replace(/req-[\w-]+/, '') };
}
const CHROMIUM =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync };

describe('the console', () => {
  it.each(['/console', '/console/', '/console/names?name=a.example.', '/console/zones/1/records'])(
    'is the same page at %s, and never kept',
    async (path) => {
      const { status, headers, bytes } = await get(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(bytes).toEqual((await get('/console')).bytes);
    },
  );

  it('lets the page do nothing but what its own files do', async () => {
    const { headers, bytes } = await get('/console');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    expect(bytes.toString()).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    for (const path of await assetPaths()) expect(path).toMatch(/^\/console\/assets\/[\w-]+-[\w-]{8}\.\w+$/);
  });

  it('has assets that are kept for ever, in the form that the browser takes', async () => {
    const paths = await assetPaths();
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) {
      const plain = await get(path);
      expect(plain.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      for (const [encodings, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
      ] as const) {
        const packed = await get(path, encodings);
        expect(packed.headers['content-encoding']).toBe(encoding);
        expect(UNPACK[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
      }
    }
  });

  it('is small', async () => {
    const sizes = await Promise.all(
      (await assetPaths()).map(async (path) => (await get(path, 'br')).bytes.length),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
  });

  it('follows the rules of every other path', async () => {
    for (const path of ['/console', '/console/names', ...(await assetPaths())]) {
      expect((await get(path, '', 'HEAD')).status).toBe(200);
      const refused = await get(path, '', 'POST');
      expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
    for (const path of ['/console/assets/none.js', '/console/assets/..%2findex.html', '/consoles']) {
      expect((await get(path)).status).toBe(404);
    }
  });

  it('can be turned off, and stands below the path of the public URL', async () => {
    await service.restart({ ZONEWARDEN_SERVICE_API__CONSOLE: 'false' });
    for (const path of ['/console', '/console/names']) expect((await get(path)).status).toBe(404);
    await service.restart({ ZONEWARDEN_SERVICE_API__PUBLIC_URL: 'https://dns.example.org/api/' });
    for (const path of await assetPaths()) expect(path).toMatch(/^\/api\/console\/assets\//);
    await service.restart();
  });
});

describe('the root of the service', () => {
  it.each([CHROMIUM, 'text/html, application/xhtml+xml, */*', 'text/html,application/json;q=0.9'])(
    'sends a browser to the console: %s',
    async (accept) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await root(accept, service.url, method);
        expect([status, headers.location]).toEqual([302, '/console']);
        expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
      }
    },
  );

  it('sends a browser below the path of public_url', async () => {
    const other = await startTestService({
      ZONEWARDEN_SERVICE_API__PUBLIC_URL: 'https://api.example.org/dns/',
    });
    try {
      expect((await root(CHROMIUM, other.url)).headers.location).toBe('/dns/console');
    } finally {
      await other.remove();
    }
  });

  it('answers everyone else as a service without console does, to the byte', async () => {
    const without = await startTestService({
      ZONEWARDEN_SERVICE_API__CONSOLE: 'false',
      ZONEWARDEN_SERVICE_API__PUBLIC_URL: service.url,
    });
    try {
      const accepts = [
        '*/*',
        'application/json',
        'application/json, text/html;q=0.9',
        'text/html',
        'image/png',
      ];
      const json = [
        'application/json, text/plain, */*',
        'text/html;q=0.5, */*',
        'text/html, application/json;q=0',
      ];
      for (const accept of [undefined, '', ...accepts, ...json]) {
        expect([accept, await root(accept)]).toEqual([accept, await root(accept, without.url)]);
      }
      expect((await root(CHROMIUM, without.url)).status).toBe(200);
      expect(await root(CHROMIUM, service.url, 'POST')).toEqual(await root(CHROMIUM, without.url, 'POST'));
    } finally {
      await without.remove();
    }
  });
});
