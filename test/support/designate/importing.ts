/** A small Designate, a service, and what takes over the one into the other. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../process.ts';
import { runHere } from '../run-here.ts';
import { type Answer, startTestService, type TestService } from '../service.ts';
import { storeOptions } from '../store.ts';
import { type ScriptedDesignate, startScriptedDesignate } from './scripted.ts';

type Environment = Readonly<Record<string, string>>;
type Told = Readonly<Record<string, unknown>>;

const SETTLED = ['added', 'updated', 'present'];

export class Importing {
  readonly service: TestService;
  readonly designate: ScriptedDesignate;
  readonly #folder = temporaryFolder();
  readonly #environment: Environment;

  private constructor(service: TestService, designate: ScriptedDesignate, environment: Environment) {
    this.service = service;
    this.designate = designate;
    this.#environment = environment;
  }

  /** @param environment options of both the service and the command */
  static async start(environment: Environment = {}): Promise<Importing> {
    return new Importing(await startTestService(environment), await startScriptedDesignate(), environment);
  }

  get report(): string {
    return join(this.#folder.path, 'report.jsonl');
  }

  /** Runs the command; a later flag wins. */
  run(flags: readonly string[], environment: Environment = {}) {
    const { designate, report } = this;
    const all = ['import-designate', '--from', designate.url, '--report', report, '--retries', '0', ...flags];
    return runHere(all, { ...storeOptions(this.service.dataDir), ...this.#environment, ...environment });
  }

  importAll(...flags: readonly string[]) {
    return this.run(['--token', 'secret', ...flags]);
  }

  get(path: string): Promise<Answer> {
    const { admin: token } = this.service;
    return this.service.request('GET', path, { token, headers: { 'x-auth-all-projects': 'true' } });
  }

  /** What the last run reported. */
  told(step: string): Told[] {
    if (!existsSync(this.report)) return [];
    return readFileSync(this.report, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter((line) => line.step === step);
  }

  unsettled(step: string): string[] {
    return this.told(step)
      .filter(({ outcome }) => !SETTLED.includes(String(outcome)))
      .map(({ thing, name, outcome }) => `${outcome} ${thing} ${name}`);
  }

  async verify(): Promise<number | null> {
    return (await runHere(['verify'], storeOptions(this.service.dataDir))).status;
  }

  async stop(): Promise<void> {
    await this.designate.stop();
    await this.service.remove();
    this.#folder.remove();
  }
}
