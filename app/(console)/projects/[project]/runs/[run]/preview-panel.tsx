import { Panel } from '@/app/_ui/panel';
import type { JobSpec } from '@/lib/core/training-spec';
import { previewColour } from '@/lib/services/training/report/preview-sheet';

interface Props {
  path: string;
  /** Names of previews in the order they were made. */
  names: string[];
  /** Whether drawn masks are available for comparison. */
  hasTruth: boolean;
  spec: JobSpec;
  /** Names of the mask values, if the model exists; the first is the background. */
  maskValues: string[];
}

const ROWS = 6;

/** Returns the first entry, the last, and evenly spaced ones in between. */
export function spreadOut<Entry>(entries: readonly Entry[], most = ROWS): Entry[] {
  if (entries.length <= most) return [...entries];
  const places = Array.from({ length: most }, (_, at) =>
    Math.round((at * (entries.length - 1)) / (most - 1)),
  );
  return places.flatMap((place) => entries[place] ?? []);
}

/** Drawn masks and predicted ones on the same validation images, epoch by epoch. */
export function PreviewPanel({ path, names, hasTruth, spec, maskValues }: Props) {
  if (names.length === 0) return null;
  const rows = [
    { name: 'pictures', label: 'Pictures', alt: 'Validation images' },
    ...(hasTruth ? [{ name: 'truth', label: 'Truth', alt: 'Masks drawn by annotators' }] : []),
    ...spreadOut(names).map((name) => {
      const [stage = '0', epoch = '0'] = name.split('-');
      const stageName = spec.stages[Number(stage)]?.name ?? '';
      const label = `${spec.stages.length > 1 ? `${stageName}, ` : ''}epoch ${Number(epoch)}`;
      return { name, label, alt: `Masks predicted at ${label}` };
    }),
  ];
  return (
    <Panel
      title="Predicted masks"
      description="Drawn masks and predictions of the model after several epochs, on the same validation images. Each colour is a part of a class."
    >
      <div className="flex flex-col gap-2 overflow-x-auto">
        {rows.map(({ name, label, alt }) => (
          <div key={name} className="flex min-w-160 items-center gap-3">
            <span className="w-24 shrink-0 text-xs text-ink-3 tabular-nums first-letter:uppercase">
              {label}
            </span>
            {/* biome-ignore lint/performance/noImgElement: a sheet of our own, already sized and cached. */}
            <img
              src={`${path}/previews/${name}`}
              alt={alt}
              loading="lazy"
              className="h-auto min-w-0 flex-1"
              // Reserves space, so that the layout does not shift when the image loads.
              style={{
                maxWidth: `${spec.validate.previews * 132}px`,
                aspectRatio: `auto ${spec.validate.previews * 132 - 4} / 128`,
              }}
            />
          </div>
        ))}
        {maskValues.length > 1 && (
          <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
            {maskValues.slice(1).map((name, at) => (
              <li key={name} className="flex items-center gap-1.5">
                <svg viewBox="0 0 10 10" aria-hidden="true" className="size-2.5">
                  <rect width="10" height="10" rx="2" fill={`rgb(${previewColour(at + 1)?.join(' ')})`} />
                </svg>
                {name}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}
