import { whole } from '../events/event-serializer.ts';
import { portsOf, type ResourcePart } from '../resource-part.ts';
import type { Label } from './label.ts';
import type { LabelReads, LabelWrites } from './store.ts';

const RULES = {
  create_label: {
    operations: ['POST /v2/labels'],
    default: 'rule:admin_or_project_member',
    description: 'Create a label.',
  },
  find_labels: {
    operations: ['GET /v2/labels'],
    default: 'rule:admin_or_project_reader',
    description: 'List the labels of a project.',
  },
  get_label: {
    operations: ['GET /v2/labels/{label_id}'],
    default: 'rule:admin_or_project_reader',
    description: 'Show a label.',
  },
  delete_label: {
    operations: ['DELETE /v2/labels/{label_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Delete a label.',
  },
} as const;

const WHOLE = whole<Label>('projects');

export const labels = {
  rules: RULES,
  errors: {
    label_not_found: 'Could not find Label',
    duplicate_label: 'The project already has a label with this name.',
  },
  events: { 'label.created': WHOLE.created, 'label.deleted': WHOLE.deleted },
  ports: portsOf<LabelReads, LabelWrites>(),
} as const satisfies ResourcePart;
