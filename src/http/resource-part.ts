import type { ErrorKind } from '../model/errors.ts';
import type { Route } from './edge/route.ts';
import type { PageLimits } from './lists/list-query.ts';

/** What a resource adds to the API. */
export interface RoutedPart<UseCases> {
  /** The tag of its operations, by the segment of the path that names the resource. */
  readonly tags: Readonly<Record<string, string>>;
  /** The ids in its paths, by parameter: what they identify, and the error if it does not exist. */
  readonly ids: Readonly<Record<string, readonly [thing: string, unknown: ErrorKind]>>;
  routes(useCases: UseCases, limits: PageLimits): readonly Route[];
}
