import { readFileSync } from 'node:fs';
import { IniError, parseIni } from './ini.ts';
import { keystoneFault } from './keystone-consistency.ts';
import { InvalidValueError } from './kinds.ts';
import { nearest } from './nearest.ts';
import type { Option } from './option.ts';
import { type Config, OPTIONS, variableOf } from './options.ts';
import { isWebhookSection, WebhookSections, webhookFault, webhookVariable } from './webhook-options.ts';

/** The configuration is not usable. The message names the option and its location. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The text of an option and its origin, for messages. */
interface OptionSource {
  readonly text: string;
  readonly where: string;
}

/** The options found so far. */
interface FoundOptions {
  readonly sources: Map<Option<unknown>, OptionSource>;
  readonly webhooks: WebhookSections;
}

const PREFIX = 'ZONEWARDEN_';
/** Names the configuration file. */
const FILE_VARIABLE = 'ZONEWARDEN_CONFIG';
/** The token of commands that ask a service. */
const TOKEN_VARIABLE = 'ZONEWARDEN_TOKEN';
/** The only variables that are no options. */
const NO_OPTIONS: readonly string[] = [FILE_VARIABLE, TOKEN_VARIABLE];

type Environment = Readonly<Record<string, string | undefined>>;
const ALL: readonly Option<unknown>[] = Object.values(OPTIONS);

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`The configuration file ${file} cannot be read: ${(error as Error).message}.`);
  }
}

function settingsOf(file: string) {
  try {
    return parseIni(readText(file));
  } catch (error) {
    if (error instanceof IniError) throw new ConfigError(`${file}, ${error.message}`);
    throw error;
  }
}

function optionsOf(section: string, webhooks: WebhookSections): readonly Option<unknown>[] {
  const options = isWebhookSection(section) ? Object.values(webhooks.optionsOf(section) ?? {}) : ALL;
  return options.filter((one) => one.section === section);
}

/** The option with that name; undefined if there is none. */
function findOption(section: string, name: string, webhooks: WebhookSections): Option<unknown> | undefined {
  return optionsOf(section, webhooks).find((one) => one.name === name);
}

/** Suggests, in a sentence, the option of the section with a similar name; empty if there is none. */
function misspelt(section: string, name: string, webhooks: WebhookSections): string {
  const names = optionsOf(section, webhooks).map((one) => one.name);
  const meant = nearest(name, names);
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}

function fromFile(file: string, { sources, webhooks }: FoundOptions): void {
  for (const { section, option: name, value, line } of settingsOf(file)) {
    const where = `${file}, line ${line}`;
    if (isWebhookSection(section) && webhooks.optionsOf(section) === undefined) {
      throw new ConfigError(
        `${where}: [${section}] is not a valid webhook section. Use a name of up to 63 letters (a to z), digits and hyphens, such as [webhook:billing].`,
      );
    }
    const option = findOption(section, name, webhooks);
    if (option === undefined) {
      throw new ConfigError(
        `${where}: there is no option ${name} in section [${section}]. ${misspelt(section, name, webhooks)}See docs/configuration.md.`,
      );
    }
    const before = sources.get(option);
    if (before !== undefined) throw new ConfigError(`${where}: ${name} is already set in ${before.where}.`);
    sources.set(option, { text: value, where });
  }
}

/** The variable with the most similar name; undefined if none is close. */
function nearestVariable(variable: string, webhooks: WebhookSections): string | undefined {
  const named = webhookVariable(variable);
  const options = named === undefined ? ALL : optionsOf(named.section, webhooks);
  const variables = [...(named === undefined ? NO_OPTIONS : []), ...options.map(variableOf)];
  const [rest, ...all] = [variable, ...variables].map((one) => one.slice(PREFIX.length));
  const meant = nearest(rest!, all);
  return meant === undefined ? undefined : PREFIX + meant;
}

/**
 * Suggests, in a sentence, a variable with a similar name, or else that of an option with this name in another
 * section; empty if there is none.
 */
function meantBy(variable: string, webhooks: WebhookSections): string {
  const name = variable.replace(/^ZONEWARDEN_(?:.*__)?/, '').toLowerCase();
  const option = ALL.find((one) => one.name === name);
  const meant = nearestVariable(variable, webhooks) ?? (option && variableOf(option));
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}

function optionOfVariable(variable: string, webhooks: WebhookSections): Option<unknown> | undefined {
  const named = webhookVariable(variable);
  if (named !== undefined) return findOption(named.section, named.name, webhooks);
  return ALL.find((one) => variableOf(one) === variable);
}

function fromEnvironment(environment: Environment, { sources, webhooks }: FoundOptions): void {
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || !variable.startsWith(PREFIX) || NO_OPTIONS.includes(variable)) continue;
    const option = optionOfVariable(variable, webhooks);
    if (option === undefined) {
      throw new ConfigError(
        `The environment variable ${variable} does not match any option. ${meantBy(variable, webhooks)}See docs/configuration.md.`,
      );
    }
    sources.set(option, { text, where: `the environment variable ${variable}` });
  }
}

function readOption(option: Option<unknown>, source: OptionSource | undefined): unknown {
  try {
    return option.kind.read(source?.text ?? option.default);
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    if (source === undefined) throw new ConfigError(`[${option.section}] ${option.name} is missing.`);
    const text = option.kind.shown === undefined ? `be "${source.text}"` : 'be used';
    throw new ConfigError(
      `${source.where}: [${option.section}] ${option.name} cannot ${text}. ${error.message}`,
    );
  }
}

function requireConsistent(config: Config): void {
  if (config.soaRefreshMin > config.soaRefreshMax) {
    throw new ConfigError('[DEFAULT] default_soa_refresh_min is greater than default_soa_refresh_max.');
  }
  if (config.defaultLimit > config.maxLimit) {
    throw new ConfigError('[service:api] default_limit_v2 is greater than max_limit_v2.');
  }
  const fault = keystoneFault(config);
  if (fault !== undefined) throw new ConfigError(`[keystone_authtoken] ${fault}`);
  for (const webhook of config.webhooks) {
    const wrong = webhookFault(webhook);
    if (wrong !== undefined) throw new ConfigError(`[webhook:${webhook.name}] ${wrong}`);
  }
}

/** The configuration, and where each option is set. */
export interface LoadedConfig {
  readonly config: Config;
  /** The line of the file or the environment variable that sets an option; undefined if it has its default. */
  origin(option: Pick<Option<unknown>, 'section' | 'name'>): string | undefined;
}

/**
 * Reads only the configuration, without the origins.
 * @throws ConfigError
 */
export function loadConfig(file: string | undefined, environment: Environment): Config {
  return readConfig(file, environment).config;
}

/**
 * Reads the configuration: the defaults, then the file if there is one, then the environment.
 * @param file the INI file; if undefined, the one that `ZONEWARDEN_CONFIG` names, if any
 * @throws ConfigError
 */
export function readConfig(file: string | undefined, environment: Environment): LoadedConfig {
  const found: FoundOptions = { sources: new Map(), webhooks: new WebhookSections() };
  const path = file ?? environment[FILE_VARIABLE];
  if (path !== undefined && path !== '') fromFile(path, found);
  fromEnvironment(environment, found);
  const read = (option: Option<unknown>) => readOption(option, found.sources.get(option));
  const entries = Object.entries(OPTIONS).map(([key, option]) => [key, read(option)]);
  const config = { ...Object.fromEntries(entries), webhooks: found.webhooks.read(read) } as Config;
  requireConsistent(config);
  return {
    config,
    origin({ section, name }) {
      const option = findOption(section, name, found.webhooks);
      return option && found.sources.get(option)?.where;
    },
  };
}
