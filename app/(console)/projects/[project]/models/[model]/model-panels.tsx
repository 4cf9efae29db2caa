import { Download } from 'lucide-react';
import Link from 'next/link';
import { buttonStyle } from '@/app/_ui/button';
import { DefinitionList } from '@/app/_ui/definition-list';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatBytes, formatCount, formatNumber } from '@/lib/core/format';
import { beyondTolerance } from '@/lib/services/training/export-tolerance';
import type { ModelView } from '@/lib/services/training/models/list-models';
import type { RunView } from '@/lib/services/training/runs/list-runs';
import type { Contract } from '../read-contract';

const views: Record<string, string> = {
  whole: 'the whole picture, squeezed to the square',
  center: 'the middle of the picture, its largest square',
};

const outputSays: Record<string, string> = {
  logits: 'a value for each class before softmax',
  masks: 'a value for each part and background, for each pixel',
  features: 'the last layer before the classes',
  embedding: 'where a picture lies among the words of the classes',
  latent: 'the place of a picture, given by the encoder',
  picture: 'what the decoder draws of a place',
};

/** Values, where they change anything. */
const normalised = ({ mean, std }: NonNullable<Contract['input']>): string =>
  mean.every((value) => value === 0) && std.every((value) => value === 1)
    ? 'not normalised before the graph'
    : `minus ${mean.join(', ')}, divided by ${std.join(', ')}`;

/** What whoever runs the model has to know. */
export function ContractPanel({ contract }: { contract: Contract }) {
  const { classes, input, outputs, maskValues, file } = contract;
  if (!input)
    return (
      <Panel title="Contract" flush>
        <EmptyState title="The contract is not known">
          The file came without a description of its input: it can be downloaded, not run here.
        </EmptyState>
      </Panel>
    );
  return (
    <Panel title="Contract" description="What goes in and what comes out.">
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

/** With their numbers: outputs are read by place. */
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
  if (init === null) return 'Not stated.';
  if (typeof init === 'string') return init === 'random' ? 'random: no other data has formed it' : init;
  return `${init.path}, sha256 ${init.sha256.replace('sha256:', '')}`;
}

/** 3.1e-7 → "3.1e−7": how far apart two ways to compute the same thing are. */
const apart = (value: unknown): string =>
  typeof value === 'number' ? value.toExponential(1).replace('e-', 'e−').replace('e+', 'e') : '–';

/** Where the model comes from, and whether the files compute what was trained. */
export function CardPanel({ model, contract, run, home }: CardPanelProps) {
  const { lineage } = contract;
  const exported = Object.entries(contract.check ?? {});
  const wrong = beyondTolerance(contract.check ?? {});
  const traced = (run?.result?.check as { gradientGraphAgainstAutograd?: number } | null | undefined)
    ?.gradientGraphAgainstAutograd;
  return (
    <Panel title="Card">
      <DefinitionList
        items={[
          { term: 'First weights', value: initWords(contract.init) },
          { term: 'Parameters', value: formatNumber(contract.parameters) },
          {
            term: 'Run',
            value: model.runId ? (
              <Link href={`${home}/runs/${model.runId}`} className="underline underline-offset-2">
                {model.run}
              </Link>
            ) : (
              'None: it was uploaded.'
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
          ...(lineage?.version
            ? [{ term: 'Hash of the version', value: <Hash>{lineage.version}</Hash> }]
            : []),
          ...(contract.snapshot
            ? [{ term: 'Snapshot', value: <Hash>{contract.snapshot.replace('sha256:', '')}</Hash> }]
            : []),
          ...(contract.torch ? [{ term: 'Made with', value: `PyTorch ${contract.torch}` }] : []),
          ...(exported.length > 0
            ? [
                {
                  term: wrong.length === 0 ? 'Equal to PyTorch' : 'Not equal to PyTorch',
                  value: `greatest difference ${exported.map(([name, value]) => `${name} ${apart(value)}`).join(', ')}${wrong.length === 0 ? '' : `. ${wrong.join(', ')}: more than rounding. The files do not compute what was trained; train it anew.`}`,
                },
              ]
            : []),
          ...(traced === undefined
            ? []
            : [{ term: 'Gradient graph', value: `${apart(traced)} from autograd, at most` }]),
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

const says: Record<string, string> = {
  'model.grad.onnx': 'the gradient by the image, for attacks and saliency',
  'model.json': 'the contract',
  'words.json': 'an embedding of each class, in their order',
  'encoder.onnx': 'finds the place of a picture, from which the decoder draws',
  'confusion.json': 'rows are the truth, columns what was said',
  'check/check.json': "PyTorch's answers to hold the files against",
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
            title: 'What it is',
            cell: ({ kind }) => (kind ? (says[kind] ?? '–') : 'the model: picture in, classes and masks out'),
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
