import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** In order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** A file with its compressed variants. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** The web console as built: one page, and assets with a hash in their names. */
export interface ConsoleFiles {
  /** URL path of the page. */
  readonly path: string;
  readonly page: ConsoleFile;
  /** By file name. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/plain; charset=utf-8',
};
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

function assetAt(folder: URL, name: string, contentType: string): ConsoleFile {
  const at = (ending: string) => new URL(`${name}${ending}`, folder);
  const encoded = ENCODINGS.filter((encoding) => existsSync(at(ENDINGS[encoding]))).map(
    (encoding) => [encoding, readFileSync(at(ENDINGS[encoding]))] as const,
  );
  return { contentType, plain: readFileSync(at('')), encoded: Object.fromEntries(encoded) };
}

function pageFrom(text: string, path: string): ConsoleFile {
  const plain = Buffer.from(text.replaceAll('"./assets/', `"${path}/console/assets/`));
  return {
    contentType: 'text/html; charset=utf-8',
    plain,
    encoded: { br: brotliCompressSync(plain), gzip: gzipSync(plain) },
  };
}

/**
 * Reads the page and its assets; undefined if the console has not been built.
 * @param publicUrl base of all links, whose path prefixes the assets; '' if none is set
 */
export function readConsole(folder: URL, publicUrl: string): ConsoleFiles | undefined {
  const page = new URL('index.html', folder);
  if (!existsSync(page)) return undefined;
  const path = publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  const assets = new URL('assets/', folder);
  const files = readdirSync(assets).flatMap((name) => {
    const contentType = TYPES[extname(name)];
    return contentType === undefined ? [] : [[name, assetAt(assets, name, contentType)] as const];
  });
  return {
    path: `${path}/console`,
    page: pageFrom(readFileSync(page, 'utf8'), path),
    assets: new Map(files),
  };
}
