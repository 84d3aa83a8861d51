/** Answers of the API, for commands that print them. */
import type { Config } from '../config/options.ts';
import { type AnsweredChange, outcomeToWire } from '../http/changes/change-answers.ts';
import { refuse } from '../http/edge/errors.ts';
import type { DomainError } from '../model/errors.ts';

export type { AnsweredChange };

/** What the API answers to such a change. */
export type ContentsAnswer = ReturnType<typeof outcomeToWire>;

/** What the API answers to a request that it refuses. */
export interface RefusalAnswer {
  readonly code: number;
  readonly type: string;
  readonly message: string;
  readonly errors?: {
    readonly errors: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  };
}

export function answerOfChange(made: AnsweredChange, config: Config): ContentsAnswer {
  return outcomeToWire(made, config.publicUrl, Number(config.accessDeniedStatus));
}

/** A command has no request, and so no id of one. */
export function answerOfRefusal(error: DomainError, config: Config): RefusalAnswer {
  const { request_id: _, ...body } = refuse(error, '', Number(config.accessDeniedStatus)).body;
  return body;
}
