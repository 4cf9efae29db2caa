import type { Said } from './use-add-model';

/** How colours from 0 to 1 are usually brought to a network. */
export const colours: Record<string, { label: string; says: string; mean: number[]; std: number[] }> = {
  imagenet: {
    label: 'As ImageNet',
    says: 'Mean 0.485, 0.456, 0.406; std 0.229, 0.224, 0.225.',
    mean: [0.485, 0.456, 0.406],
    std: [0.229, 0.224, 0.225],
  },
  clip: {
    label: 'As CLIP',
    says: 'Mean 0.481, 0.458, 0.408; std 0.269, 0.261, 0.276.',
    mean: [0.48145466, 0.4578275, 0.40821073],
    std: [0.26862954, 0.26130258, 0.27577711],
  },
  signed: { label: '−1 to 1', says: 'Mean 0.5, std 0.5.', mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
  plain: {
    label: '0 to 1, as they are',
    says: 'Also where the graph normalises.',
    mean: [0, 0, 0],
    std: [1, 1, 1],
  },
  own: { label: 'Other numbers', says: 'As said here.', mean: [], std: [] },
};

const numbers = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);

/** What the form says, as the API takes it. Empty fields are left to the file. */
export function readForm(form: FormData): Said {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const given = (name: string) => (text(name) ? { [name]: text(name) } : {});
  const kind = text('kind');
  const chosen = colours[text('colours')] ?? colours.plain;
  const isOwn = text('colours') === 'own';
  const output = { classifier: 'logits', oracle: 'embedding', decoder: 'picture' }[kind] ?? 'logits';
  const size = Number(text('size'));
  const files: Record<string, File> = {};
  for (const name of ['model', 'gradient', 'words', 'encoder']) {
    const file = form.get(name);
    if (file instanceof File && file.size > 0) files[name] = file;
  }
  const range = numbers(text('range'));
  return {
    files,
    rest: {
      name: text('name') || files.model?.name.replace(/\.onnx$/i, '') || '',
      kind,
      otherClasses: form.get('otherClasses') === 'on',
      contract: {
        input: {
          ...(text('input') ? { name: text('input') } : {}),
          ...(size ? { height: size, width: size } : {}),
          ...given('layout'),
          ...given('channels'),
          ...given('view'),
          mean: isOwn ? numbers(text('mean')) : chosen?.mean,
          std: isOwn ? numbers(text('std')) : chosen?.std,
        },
        outputs: text('output') ? { [output]: text('output') } : {},
        ...(kind === 'decoder' ? {} : { classes: lines(text('classes')) }),
        ...(kind === 'classifier' ? given('featureTensor') : {}),
        ...(kind === 'oracle' && text('margin') ? { margin: Number(text('margin')) } : {}),
        ...(kind === 'decoder' && range.length > 0 ? { range } : {}),
        ...(kind === 'decoder' && text('step') ? { step: Number(text('step')) } : {}),
      },
    },
  };
}

const lines = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => (line.trim() ? [line.trim()] : []));
