import { api, dataOf } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import type { MeasuredLimits } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { grouped, sized } from '../../parts/text.tsx';
import { LIMITS } from './limits.ts';

function factsOf(defaults: MeasuredLimits): readonly (readonly [string, string])[] {
  const ofProjects = LIMITS.map(([key, title]) => {
    const limit = defaults[key];
    return [title, limit < 0 ? 'unlimited' : grouped(limit)] as const;
  });
  return [...ofProjects, ['Zone size', sized(defaults.max_zone_size)]];
}

/** The limits of every project without its own. */
export function DefaultLimits() {
  const defaults = useFetched((signal) => dataOf(api.GET('/v2/quota_defaults', { signal })), []);
  return (
    <section class="card" aria-labelledby="defaults">
      <h2 id="defaults">Default limits</h2>
      <p class="quiet">Applied to projects without their own limits. Set in the service configuration.</p>
      <ProblemNotice problem={defaults.problem} />
      {defaults.data !== undefined && <Facts facts={factsOf(defaults.data)} />}
    </section>
  );
}
