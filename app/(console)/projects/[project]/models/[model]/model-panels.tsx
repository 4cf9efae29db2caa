import { Download } from 'lucide-react';
import Link from 'next/link';
import { buttonStyle } from '@/app/_ui/button';
import { DefinitionList } from '@/app/_ui/definition-list';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatBytes, formatCount, formatNumber } from '@/lib/core/format';
import { beyondTolerance } from '@/lib/services/inference/check-export';
import type { ModelView } from '@/lib/services/training/models';
import type { RunView } from '@/lib/services/training/runs/list-runs';
import type { Contract } from '../read-contract';

const views: Record<string, string> = {
  whole: 'whole image, resized to a square',
  center: 'largest centre crop',
};

const outputSays: Record<string, string> = {
  logits: 'one logit per class',
  masks: 'one value per part and background, per pixel',
  features: 'features before the classification layer',
  embedding: 'image embedding in the space of the class words',
  latent: 'latent code of an image, from the encoder',
  picture: 'image decoded from a latent code',
};

/** Describes the normalisation. */
const normalised = ({ mean, std }: NonNullable<Contract['input']>): string =>
  mean.every((value) => value === 0) && std.every((value) => value === 1)
    ? 'not normalised'
    : `minus ${mean.join(', ')}, divided by ${std.join(', ')}`;

/** Contract of the model. */
export function ContractPanel({ contract }: { contract: Contract }) {
  const { classes, input, outputs, maskValues, file } = contract;
  if (!input)
    return (
      <Panel title="Contract" flush>
        <EmptyState title="No contract">
          The file has no description of its input. You can download it but not run it here.
        </EmptyState>
      </Panel>
    );
  return (
    <Panel title="Contract" description="Inputs and outputs of the model.">
      <DefinitionList
        items={[
          {
            term: 'Input',
            value: `${input.name}: ${input.type}, ${input.layout}, ${input.layout === 'NHWC' ? `N × ${input.height} × ${input.width} × 3` : `N × 3 × ${input.height} × ${input.width}`}`,
          },
          {
            term: 'Preprocessing',
            value: `${input.channels}, ${input.range.join(' to ')}; ${views[input.view] ?? input.view}; ${normalised(input)}`,
          },
          ...Object.keys(outputs).map((name) => ({
            term: `Output ${name}`,
            value: outputSays[name] ?? contract.outputKind,
          })),
          ...(contract.gradient
            ? [{ term: 'Gradient', value: `${contract.gradient.name}: ${contract.gradient.says}` }]
            : []),
          { term: 'ONNX opset', value: formatNumber(file?.opset) },
          ...(classes.length > 0
            ? [
                {
                  term: formatCount(classes.length, 'class', 'classes'),
                  value: <Names names={classes} from={0} />,
                },
              ]
            : []),
          ...(maskValues.length > 0
            ? [
                {
                  term: formatCount(maskValues.length, 'mask value'),
                  value: <Names names={maskValues} from={0} />,
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

/** Names with output indices. */
const Names = ({ names, from }: { names: string[]; from: number }) => (
  <ol className="flex flex-wrap gap-x-3 gap-y-0.5">
    {names.map((name, at) => (
      <li key={name} className="whitespace-nowrap">
        <span className="mr-1 text-xs text-ink-3 tabular-nums">{at + from}</span>
        {name}
      </li>
    ))}
  </ol>
);

interface CardPanelProps {
  model: ModelView;
  contract: Contract;
  run: RunView | null;
  home: string;
}

const Hash = ({ children }: { children: string }) => (
  <span className="font-mono text-xs break-all select-all">{children}</span>
);

function initWords(init: Contract['init']): string {
  if (init === null) return 'Not stated';
  if (typeof init === 'string') return init === 'random' ? 'random (trained from scratch)' : init;
  return `${init.path}, sha256 ${init.sha256.replace('sha256:', '')}`;
}

/** Formats a small difference: 3.1e-7 → "3.1e−7". */
const apart = (value: unknown): string =>
  typeof value === 'number' ? value.toExponential(1).replace('e-', 'e−').replace('e+', 'e') : '–';

/** Model card: origin and export verification. */
export function CardPanel({ model, contract, run, home }: CardPanelProps) {
  const { lineage } = contract;
  const exported = Object.entries(contract.check ?? {});
  const wrong = beyondTolerance(contract.check ?? {});
  const traced = (run?.result?.check as { gradientGraphAgainstAutograd?: number } | null | undefined)
    ?.gradientGraphAgainstAutograd;
  return (
    <Panel title="Model card">
      <DefinitionList
        items={[
          { term: 'Initial weights', value: initWords(contract.init) },
          { term: 'Parameters', value: formatNumber(contract.parameters) },
          {
            term: 'Run',
            value: model.runId ? (
              <Link href={`${home}/runs/${model.runId}`} className="underline underline-offset-2">
                {model.run}
              </Link>
            ) : (
              'Uploaded, no run'
            ),
          },
          ...(model.version !== null
            ? [
                {
                  term: 'Trained on',
                  value: (
                    <Link href={`${home}/data/${model.version}`} className="underline underline-offset-2">
                      version {model.version}
                    </Link>
                  ),
                },
              ]
            : []),
          ...(lineage?.version ? [{ term: 'Version hash', value: <Hash>{lineage.version}</Hash> }] : []),
          ...(contract.snapshot
            ? [{ term: 'Snapshot', value: <Hash>{contract.snapshot.replace('sha256:', '')}</Hash> }]
            : []),
          ...(contract.torch ? [{ term: 'Made with', value: `PyTorch ${contract.torch}` }] : []),
          ...(exported.length > 0
            ? [
                {
                  term: wrong.length === 0 ? 'Matches PyTorch' : 'Differs from PyTorch',
                  value: `maximum difference ${exported.map(([name, value]) => `${name} ${apart(value)}`).join(', ')}${wrong.length === 0 ? '' : `. ${wrong.join(', ')}: above the tolerance. The exported files differ from the trained model. Train the model again.`}`,
                },
              ]
            : []),
          ...(traced === undefined
            ? []
            : [{ term: 'Gradient graph', value: `${apart(traced)} maximum difference from autograd` }]),
        ]}
      />
    </Panel>
  );
}

interface ModelFile {
  /** Null is the ONNX file itself. */
  kind: string | null;
  sha256: string;
  bytes: number | null;
}

const fileDescriptions: Record<string, string> = {
  'model.grad.onnx': 'gradient with respect to the image, for attacks and saliency',
  'model.json': 'the contract',
  'words.json': 'word embedding of each class',
  'encoder.onnx': 'encoder that maps an image to its latent code',
  'confusion.json': 'confusion matrix: rows are true classes, columns predictions',
  'check/check.json': 'PyTorch outputs for verification',
};

interface FileTableProps {
  modelId: string;
  files: ModelFile[];
  mayDownload: boolean;
}

export function FileTable({ modelId, files, mayDownload }: FileTableProps) {
  const href = (kind: string | null) =>
    `/api/v1/models/${modelId}/file${kind ? `?kind=${encodeURIComponent(kind)}` : ''}`;
  return (
    <Panel title="Files" flush>
      <SmallTable
        caption="Files"
        rows={files}
        rowKey={({ kind }) => kind ?? 'model.onnx'}
        empty={null}
        columns={[
          {
            key: 'name',
            title: 'File',
            cell: ({ kind }) => <span className="font-medium">{kind ?? 'model.onnx'}</span>,
          },
          {
            key: 'says',
            title: 'Description',
            cell: ({ kind }) => (kind ? (fileDescriptions[kind] ?? '–') : 'the model'),
          },
          { key: 'bytes', title: 'Size', numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
          {
            key: 'sha256',
            title: 'sha256',
            cell: ({ sha256 }) => (
              <span className="font-mono text-xs break-all text-ink-2 select-all">{sha256}</span>
            ),
          },
          ...(mayDownload
            ? [
                {
                  key: 'act',
                  title: 'Actions',
                  untitled: true,
                  cell: ({ kind }: ModelFile) => (
                    <a
                      href={href(kind)}
                      download
                      className={buttonStyle({ variant: 'quiet', size: 'small' })}
                    >
                      <Download aria-hidden />
                      Download
                    </a>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}
