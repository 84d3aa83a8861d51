import { useEffect, useState } from 'preact/hooks';
import type { Looked } from './preview.tsx';

/** An entry that matches more zones than one of these, as a number or a fraction of all, needs a typed confirmation. */
const MAX_ZONES = 100;
const MAX_PART = 0.1;

/** Number of existing zones that an entry matches. Zones that could not be checked in time count as matching. */
export type Reach =
  | { readonly kind: 'pending' }
  | { readonly kind: 'narrow' }
  | { readonly kind: 'wide'; readonly matched: number; readonly seen: number; readonly isAll: boolean }
  | { readonly kind: 'unknown' };

/** The reach of a pattern according to its preview; `pending` until that is clear. */
export function reachOf({ preview, problem }: Looked): Reach {
  if (problem !== undefined) return { kind: 'unknown' };
  if (preview === undefined) return { kind: 'pending' };
  // The service rejects a faulty pattern.
  if (preview.faults.length > 0) return { kind: 'narrow' };
  const isAll = preview.status === 'COMPLETE';
  const { seen, matched: found, undecided } = preview.zones;
  const matched = found + undecided;
  if (matched > MAX_ZONES || (isAll && matched > seen * MAX_PART))
    return { kind: 'wide', matched, seen, isAll };
  if (isAll) return { kind: 'narrow' };
  return { kind: ['PENDING', 'RUNNING'].includes(preview.status) ? 'pending' : 'unknown' };
}

export type Doubt = Extract<Reach, { kind: 'wide' | 'unknown' }>;

/** Runs an action once the reach is known, and asks first unless it is narrow. */
export function useCare(reach: Reach, run: () => void) {
  const [isWaiting, setWaiting] = useState(false);
  const [doubt, setDoubt] = useState<Doubt>();
  useEffect(() => {
    if (!isWaiting || reach.kind === 'pending') return;
    setWaiting(false);
    if (reach.kind === 'narrow') run();
    else setDoubt(reach);
  }, [isWaiting, reach.kind]);
  return {
    /** True while the action waits for the reach. */
    isWaiting,
    /** The reach to confirm, if any. */
    doubt,
    begin: () => setWaiting(true),
    /** Stops waiting because the contents have changed. */
    stop: () => setWaiting(false),
    settle: () => setDoubt(undefined),
  };
}
