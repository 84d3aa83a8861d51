import { type Fqdn, parentsOf } from '../../dns/names.ts';
import type { NameConflicts, WantedName } from '../../model/zones/store.ts';

/** Names of the zones that a transaction creates. */
export class AcceptedNames {
  readonly #owners = new Map<Fqdn, string>();
  /** Projects that have zones below a name. */
  readonly #below = new Map<Fqdn, Set<string>>();

  add({ name, projectId }: WantedName): void {
    this.#owners.set(name, projectId);
    for (const parent of parentsOf(name)) {
      const projects = this.#below.get(parent) ?? new Set();
      this.#below.set(parent, projects.add(projectId));
    }
  }

  /** Conflicts of a name with accepted names and with the store. */
  conflictsWith({ name, projectId }: WantedName, stored: NameConflicts): NameConflicts {
    const isForeign = (owner: string | undefined) => owner !== undefined && owner !== projectId;
    return {
      isLeaving: stored.isLeaving,
      duplicate: stored.duplicate || this.#owners.has(name),
      foreignParent:
        stored.foreignParent || parentsOf(name).some((parent) => isForeign(this.#owners.get(parent))),
      foreignChild: stored.foreignChild || [...(this.#below.get(name) ?? [])].some(isForeign),
      ownParent: stored.ownParent || parentsOf(name).some((parent) => this.#owners.get(parent) === projectId),
      ownChild: stored.ownChild || this.#below.get(name)?.has(projectId) === true,
    };
  }
}
