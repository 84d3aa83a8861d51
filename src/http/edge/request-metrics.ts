import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MetricsRecorder } from '../../model/metrics/metrics-recorder.ts';
import { Unauthenticated } from './access.ts';
import { kindOf } from './errors.ts';
import { type FindPath, matched } from './known-paths.ts';
import type { Route } from './route.ts';

/** The metrics that the edge reports. */
export type RequestMeter = Pick<MetricsRecorder, 'requestFinished' | 'requestRefused' | 'credentialsFailed'>;

interface RequestLabels {
  readonly route: string;
  readonly method: string;
}

const UNKNOWN: RequestLabels = { route: 'none', method: 'other' };

/** Reports requests to the meter. Labels come from the routes only, never from text that a caller can choose. */
export class RequestMetrics {
  readonly #meter: RequestMeter;
  /** By path in Fastify's syntax, then by method. */
  readonly #known = new Map<string, Map<string, RequestLabels>>();

  readonly #findPath: FindPath;

  constructor(meter: RequestMeter, routes: readonly Route[], findPath: FindPath) {
    this.#meter = meter;
    this.#findPath = findPath;
    for (const { method, path: route } of routes) {
      const methods = this.#known.get(matched(route)) ?? new Map([['', { route, method: 'other' }]]);
      methods.set(method, { route, method });
      if (method === 'GET') methods.set('HEAD', { route, method: 'HEAD' });
      this.#known.set(matched(route), methods);
    }
  }

  answered(request: FastifyRequest, reply: FastifyReply): void {
    const labels = this.#labelsOf(request);
    this.#meter.requestFinished({ status: reply.statusCode, seconds: reply.elapsedTime / 1000, ...labels });
  }

  refused(error: unknown): void {
    this.#meter.requestRefused(kindOf(error));
    if (error instanceof Unauthenticated) this.#meter.credentialsFailed(error.reason);
  }

  #labelsOf({ routeOptions, is404, url, method }: FastifyRequest): RequestLabels {
    const path = is404 ? this.#findPath(url)?.path : routeOptions.url;
    const methods = this.#known.get(path ?? '');
    return methods?.get(method) ?? methods?.get('') ?? UNKNOWN;
  }
}
