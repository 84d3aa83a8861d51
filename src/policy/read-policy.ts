import { readFileSync } from 'node:fs';
import type { Policy } from '../model/access/policy.ts';
import { loadPolicy } from './enforcer.ts';
import { parsePolicyFile } from './override-file.ts';
import { PolicyError } from './policy-error.ts';

/**
 * The policy in force: the defaults, with what a policy file puts in their place.
 * @param file its path; empty where there is none
 * @throws PolicyError where the file cannot be read or used
 */
export function readPolicy(file: string): Policy {
  if (file === '') return loadPolicy();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new PolicyError(`The policy file ${file}`, `it cannot be read: ${(error as Error).message}.`);
  }
  return loadPolicy(parsePolicyFile(text, file), file);
}
