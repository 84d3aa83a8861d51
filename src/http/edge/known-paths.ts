import findMyWay from 'find-my-way';
import { EdgeError } from './errors.ts';
import { wordsTakenForIds } from './paths.ts';
import type { Route } from './route.ts';

/** A path of the API in the syntax of Fastify and find-my-way. */
export const matched = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** An existing path, regardless of method. */
export interface KnownPath {
  /** In Fastify's syntax. */
  readonly path: string;
  /** Supported methods, including HEAD. */
  readonly methods: readonly string[];
}

/** True if the route also answers HEAD. */
export function takesHead({ method, changesByGet }: Route): boolean {
  return method === 'GET' && !changesByGet;
}

function methodsOf(path: string, routes: readonly Route[]): string[] {
  const here = routes.filter((route) => route.path === path);
  const methods = here.map((route) => route.method);
  return here.some(takesHead) ? [...methods, 'HEAD'] : methods;
}

/** Finds the path of a request target; undefined if there is none. */
export type FindPath = (url: string) => KnownPath | undefined;

/**
 * Finds the path of a request whose method no route accepts. Fastify alone would need thousands of routes, one for each
 * pair of a path and a method.
 */
export function knownPaths(routes: readonly Route[], maxParamLength: number): FindPath {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength });
  const paths = routes.map((route) => route.path);
  for (const path of new Set([...paths, ...wordsTakenForIds(paths)])) {
    const known: KnownPath = { path: matched(path), methods: methodsOf(path, routes) };
    router.on('GET', known.path, () => undefined, known);
  }
  return (url) => router.find('GET', url)?.store as KnownPath | undefined;
}

/** The reason that no route takes a request: its path does not exist or does not support its method. */
export function noRoute(known: KnownPath | undefined): EdgeError {
  if (known === undefined) return new EdgeError('not_found');
  return new EdgeError('method_not_allowed', undefined, { allow: known.methods.join(', ') });
}
