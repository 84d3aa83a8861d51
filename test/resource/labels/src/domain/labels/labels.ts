import { randomUUID } from 'node:crypto';
import type { CreateOptions } from '../../model/context/options.ts';
import { type RequestContext, requireProject } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Label, LabelQuery } from '../../model/labels/label.ts';
import type { Page } from '../../model/lists.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';

function targetOf({ id, name, projectId }: Pick<Label, 'id'> & Partial<Label>): Target {
  return { kind: 'label', id, name, projectId };
}

/** The use cases of labels. */
export function labelUseCases({ store, clock, access, unitOfWork }: UseCaseDeps) {
  return {
    async create(
      context: RequestContext,
      draft: Pick<Label, 'name' | 'text'>,
      options: CreateOptions<Label> = {},
    ): Promise<Label> {
      const projectId = requireProject(context);
      access.require(context, 'create_label', { projectId });
      const label = { id: randomUUID(), projectId, ...draft, createdAt: clock.now() };
      return unitOfWork.change(
        context,
        targetOf(label),
        async (tx, emit) => {
          if (!(await tx.labels.insert(label))) throw new DomainError('duplicate_label');
          emit({ type: 'label.created', target: targetOf(label), after: label });
          return label;
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<Label> {
      access.require(context, 'get_label', { projectId: context.projectId });
      const label = await store.labels.find(id, context.scope);
      if (label === undefined) throw new DomainError('label_not_found');
      return label;
    },

    async list(context: RequestContext, query: LabelQuery): Promise<Page<Label>> {
      access.require(context, 'find_labels', { projectId: context.projectId });
      return store.labels.list(query, context.scope, context.caller.projectId);
    },

    async remove(context: RequestContext, id: string): Promise<void> {
      access.require(context, 'delete_label', { projectId: context.projectId });
      await unitOfWork.change(context, targetOf({ id }), async (tx, emit) => {
        const before = await tx.labels.lock(id, context.scope);
        if (before === undefined) throw new DomainError('label_not_found');
        tx.labels.remove(id);
        emit({ type: 'label.deleted', target: targetOf(before), before });
      });
    },
  };
}

export type LabelUseCases = ReturnType<typeof labelUseCases>;
