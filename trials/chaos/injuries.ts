import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { Ledger } from './ledger.ts';
import type { Member } from './members.ts';
import type { Injury } from './sites.ts';

interface Kind {
  readonly name: string;
  readonly weight: number;
  inflict(): Promise<void> | undefined;
}

/** How long to wait for an acknowledgement to kill at, in milliseconds. */
const ACKNOWLEDGED_MS = 500;
/** The most writes that are acknowledged between two injuries before the next one, and how long to wait for them. */
const MAX_WRITES = 150;
const LONGEST_CALM_MS = 4000;
const CALM_STEP_MS = 20;

/** Injures processes, their store and their name servers at random until it is told to heal everything. */
export class Injurer {
  readonly #members: readonly Member[];
  readonly #ofStore: readonly Injury[];
  readonly #ledger: Ledger;
  readonly #dice: Dice;
  readonly #injured = new Set<string>();
  #storeInjuries = 0;
  /** When something of the store was last out of order. */
  #lastInjuredAt = Number.NEGATIVE_INFINITY;
  readonly #underWay = new Set<Promise<void>>();
  readonly #kinds: readonly Kind[];
  readonly #dealt = new Set<string>();
  #healing = new AbortController();

  constructor(at: {
    members: readonly Member[];
    ofStore: readonly Injury[];
    ofServers: readonly Injury[];
    ledger: Ledger;
    dice: Dice;
  }) {
    this.#members = at.members;
    this.#ofStore = at.ofStore;
    this.#ledger = at.ledger;
    this.#dice = at.dice;
    this.#kinds = [
      this.#ofMember('kill', 5, (member) => this.#kill(member)),
      this.#ofMember('kill at acknowledgement', 5, (member) => this.#killAtAcknowledgement(member)),
      this.#ofMember('halt', 4, (member) => this.#halt(member)),
      this.#ofMember('replace', 1, (member) => this.#replace(member)),
      ...this.#kindsOf(at.ofStore),
      ...this.#kindsOf(at.ofServers),
    ];
  }

  /** Whether every kind of injury has been inflicted. */
  get hasDealtAll(): boolean {
    return this.#kinds.every(({ name }) => this.#dealt.has(name));
  }

  /** Whether the store was out of order at any time since then, so that a process may have failed to start. */
  readonly wasStoreInjured = (since: number): boolean =>
    this.#storeInjuries > 0 || this.#lastInjuredAt >= since;

  /** Comes back early when all is to heal. */
  async #lasts(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#healing.signal }).catch(() => {});
  }

  #ofMember(name: string, weight: number, work: (member: Member) => Promise<void>): Kind {
    const inflict = () => {
      const member = this.#dice.pick(this.#members.filter(({ isInjured }) => !isInjured));
      return member && this.#on(member, work);
    };
    return { name, weight, inflict };
  }

  #kindsOf(injuries: readonly Injury[]): Kind[] {
    const names = new Set(injuries.map(({ kind }) => kind));
    return [...names].map((name) => {
      const choices = injuries.filter(({ kind }) => kind === name);
      const inflict = () => {
        const injury = this.#dice.pick(choices.filter(({ target }) => !this.#injured.has(target)));
        return injury && this.#inflict(injury);
      };
      return { name, weight: choices[0]!.weight, inflict };
    });
  }

  /** Each kind once, in any order; then by their weights. */
  #injureOnce(): Promise<void> | undefined {
    const fresh = this.#kinds.filter(({ name }) => !this.#dealt.has(name));
    const kind = this.#dice.pick(fresh) ?? this.#dice.weighted(this.#kinds);
    const injury = kind.inflict();
    if (injury !== undefined) this.#dealt.add(kind.name);
    return injury;
  }

  /** Injures until it is over; what is injured then stays so until `heal`. */
  async injure(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#calm(isOver);
      if (isOver()) return;
      const injury = this.#injureOnce();
      if (injury === undefined) continue;
      this.#underWay.add(injury);
      void injury.finally(() => this.#underWay.delete(injury));
    }
  }

  /** A time of work, however slow the machine is, before the next injury. */
  async #calm(isOver: () => boolean): Promise<void> {
    const until = this.#ledger.acknowledged + this.#dice.int(0, MAX_WRITES);
    const latest = this.#ledger.now() + LONGEST_CALM_MS;
    await this.#lasts(this.#dice.int(50, 800));
    while (!isOver() && this.#ledger.acknowledged < until && this.#ledger.now() < latest) {
      await this.#lasts(CALM_STEP_MS);
    }
  }

  /** Heals everything at once, and waits for it. */
  async heal(): Promise<void> {
    this.#healing.abort();
    await Promise.all(this.#underWay);
    this.#healing = new AbortController();
  }

  async #on(member: Member, work: (member: Member) => Promise<void>): Promise<void> {
    member.isInjured = true;
    await work(member);
    member.isInjured = false;
  }

  #note(kind: string, isKill: boolean, { index }: Member): void {
    this.#ledger.injury(kind, isKill, { process: index });
  }

  async #startAgain(member: Member): Promise<void> {
    await member.gone();
    await this.#lasts(this.#dice.int(0, 400));
    if (!this.#dice.chance(0.15)) return member.start(this.wasStoreInjured);
    // Killed again while it starts.
    const started = member.start(this.wasStoreInjured);
    await this.#lasts(this.#dice.int(50, 500));
    this.#note('kill -9 of a process that starts', true, member);
    member.kill();
    await started;
    await member.gone();
    return member.start(this.wasStoreInjured);
  }

  async #kill(member: Member): Promise<void> {
    this.#note('kill -9 of a process', true, member);
    member.kill();
    await this.#startAgain(member);
  }

  /** Kills at the very moment at which a success arrives. */
  async #killAtAcknowledgement(member: Member): Promise<void> {
    let isKilled = false;
    const acknowledged = new Promise<void>((resolve) => {
      member.onAcknowledged = () => {
        member.onAcknowledged = undefined;
        isKilled = true;
        member.kill();
        resolve();
      };
    });
    await Promise.race([acknowledged, this.#lasts(ACKNOWLEDGED_MS)]);
    member.onAcknowledged = undefined;
    if (!isKilled) return this.#kill(member);
    this.#note('kill -9 of a process at an acknowledgement', true, member);
    return this.#startAgain(member);
  }

  async #halt(member: Member): Promise<void> {
    this.#note('SIGSTOP of a process', false, member);
    member.halt();
    await this.#lasts(this.#dice.int(200, 3000));
    if (this.#dice.chance(0.2)) return this.#kill(member);
    this.#ledger.write({ resumed: member.index });
    member.resume();
  }

  /** SIGTERM, and another process in its place. */
  async #replace(member: Member): Promise<void> {
    this.#note('SIGTERM of a process', false, member);
    await member.stop();
    await this.#startAgain(member);
  }

  async #inflict({ kind, isKill, target, ...injury }: Injury): Promise<void> {
    const isOfStore = this.#ofStore.some((one) => one.kind === kind);
    this.#injured.add(target);
    if (isOfStore) this.#storeInjuries++;
    this.#ledger.injury(kind, isKill, { target });
    await injury.inflict();
    await this.#lasts(injury.lasts(this.#dice));
    await injury.heal();
    this.#ledger.write({ healed: kind, target });
    this.#injured.delete(target);
    if (!isOfStore) return;
    this.#storeInjuries--;
    this.#lastInjuredAt = this.#ledger.now();
  }
}
