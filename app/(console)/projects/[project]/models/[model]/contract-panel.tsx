import { DefinitionList } from '@/app/_ui/definition-list';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { formatCount, formatNumber } from '@/lib/core/format';
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
