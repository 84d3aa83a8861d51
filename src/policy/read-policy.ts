import { readFileSync } from 'node:fs';
import { type LoadedPolicy, loadPolicy } from './enforcer.ts';
import { parsePolicyFile } from './override-file.ts';
import { PolicyError } from './policy-error.ts';

/**
 * The effective policy: the defaults with the overrides of a policy file.
 * @param file path of the policy file; empty if there is none
 * @throws PolicyError if the file cannot be read or used
 */
export function readPolicy(file: string): LoadedPolicy {
  if (file === '') return loadPolicy();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new PolicyError(`The policy file ${file}`, `it cannot be read: ${(error as Error).message}.`);
  }
  return loadPolicy(parsePolicyFile(text, file), file);
}
