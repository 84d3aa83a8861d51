import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** In the order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** A file in each form in which it is sent. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** The page for people, as the build lays it into a folder: one page, and assets with a hash in their names. */
export interface ConsoleFiles {
  /** Where the page is, for browsers. */
  readonly path: string;
  readonly page: ConsoleFile;
  /** By name. */
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
 * Reads the page and its assets; undefined where they have not been built.
 * @param publicUrl the base of every link, whose path the assets are below; '' if it has none
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
