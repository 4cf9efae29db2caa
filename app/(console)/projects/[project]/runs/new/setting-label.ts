import type { JobSpec } from '@/lib/core/training-spec';
import { attackName } from '@/lib/services/training/report/curves-of';
import { rangeWords } from './range-words';

const labels: Record<string, string> = {
  'train.cSeg': 'c_seg',
  'train.batchSize': 'Batch size',
  'train.weightDecay': 'Weight decay',
  'train.accumulate': 'Pieces of a step',
  'train.precision': 'Precision',
  'data.labels': 'Label kind',
  'data.labelledFraction': 'Label fraction',
  'data.classWeights': 'Class weights',
  'data.labelWeights': 'Label quality',
  'resources.wallMinutes': 'Time limit, minutes',
  'model.level': 'Segments',
  'model.background': 'Background',
  'model.pool': 'Pool size',
  'model.withImage': 'Beside the masks',
  'validate.patience': 'Early stop after',
};

/** How the field of a setting is called; one without a field by its path. */
export function settingLabel(path: string, { stages, test }: JobSpec): string {
  const [area, at, field] = path.split('.');
  const stage = area === 'stages' ? stages[Number(at)] : undefined;
  if (stage && field === 'epochs') return `Epochs, ${stage.name}`;
  if (stage && field === 'lr') return `Learning rate, ${stage.name}`;
  if (stage && field === 'beta') return 'β of TRADES';
  const attack = area === 'test' && field === 'sample' ? test[Number(at)]?.attack : undefined;
  if (attack) return `Test images, ${attackName(attack)}`;
  return labels[path] ?? path;
}

const refused = /^The settings are not valid: ([^:]+): (.+)$/;

/** A refusal of settings in the words of their fields; any other as it is. */
export function refusalWords(message: string, usual: JobSpec): string {
  const [, path, why] = refused.exec(message) ?? [];
  return path && why ? `“${settingLabel(path, usual)}” ${rangeWords(why)}` : message;
}
