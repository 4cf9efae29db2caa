import { Download } from 'lucide-react';
import { buttonStyle } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatBytes } from '@/lib/core/format';

export interface ModelFile {
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

interface Props {
  modelId: string;
  files: ModelFile[];
  mayDownload: boolean;
}

export function FileTable({ modelId, files, mayDownload }: Props) {
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
