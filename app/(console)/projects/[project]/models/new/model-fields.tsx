import { useState } from 'react';
import { Checkbox, Field, Input, Select, Textarea } from '@/app/_ui/forms';
import { colours } from './use-add-model';

/** File fields by kind of model. Files can be dropped on a field. */
export function FileFields({ kind }: { kind: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FileField
        label={kind === 'decoder' ? 'Decoder' : 'ONNX file'}
        name="model"
        accept=".onnx"
        hint="With embedded weights, at most 512 MB. Choose a file or drop it here."
        required
      />
      {kind === 'classifier' && (
        <FileField
          label="Gradient graph"
          name="gradient"
          accept=".onnx"
          hint="model.grad.onnx as written by the trainer, for attacks."
        />
      )}
      {kind === 'oracle' && (
        <FileField
          label="Words"
          name="words"
          accept=".npy,.json"
          hint="Word embedding of each class in the order below, as .npy or JSON."
          required
        />
      )}
      {kind === 'decoder' && (
        <FileField
          label="Encoder"
          name="encoder"
          accept=".onnx"
          hint="Maps an image to the latent code that the decoder takes."
          required
        />
      )}
    </div>
  );
}

/** Native file button in the style of small buttons. */
const fileStyle =
  'pl-1 leading-6 text-ink-2 file:mr-2 file:h-5 file:rounded-sm file:border file:border-line file:bg-hover file:px-2 file:text-xs file:leading-none file:text-ink';

interface FileFieldProps {
  label: string;
  name: string;
  accept: string;
  hint: string;
  required?: boolean;
}

const FileField = ({ label, hint, required, ...rest }: FileFieldProps) => (
  <Field label={label} hint={hint} optional={!required}>
    {(control) => <Input {...control} {...rest} type="file" required={required} className={fileStyle} />}
  </Field>
);

interface Props {
  kind: string;
  /** Schema classes as initial value. */
  classes: string[];
}

/** Contract fields that are not in the file. */
export function ContractFields({ kind, classes }: Props) {
  const [chosen, setChosen] = useState(kind === 'oracle' ? 'clip' : 'imagenet');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Normalisation" hint={colours[chosen]?.description}>
          {(control) => (
            <Select
              {...control}
              name="colours"
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
              options={Object.entries(colours).map(([value, { label }]) => ({ value, label }))}
            />
          )}
        </Field>
        <Field label="Side, pixels" optional hint="Only if the file accepts any size.">
          {(control) => <Input {...control} name="size" type="number" min={8} max={1024} />}
        </Field>
        {chosen === 'own' && (
          <>
            <Text
              label="Mean"
              name="mean"
              hint="Red, green, blue, for colours from 0 to 1."
              start="0, 0, 0"
            />
            <Text label="Std" name="std" hint="Red, green, blue." start="1, 1, 1" />
          </>
        )}
      </div>
      {kind !== 'decoder' && (
        <>
          <Field
            label="Classes"
            hint="One per line, in the order of the model outputs. The schema classes are filled in as a start."
          >
            {(control) => <Textarea {...control} name="classes" rows={8} defaultValue={classes.join('\n')} />}
          </Field>
          <Checkbox
            name="otherClasses"
            label="The model has other classes than the schema"
            hint="Only images of common classes are evaluated."
          />
        </>
      )}
      {kind === 'oracle' && (
        <Text
          label="Margin"
          name="margin"
          hint="Minimum lead of the nearest class; below it the oracle answers “cannot tell”."
          start="0"
        />
      )}
      {kind === 'decoder' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Text label="Range" name="range" hint="Output values for black and white." start="0, 1" />
          <Text label="Step" name="step" hint="In standard deviations of the latent code." start="0.1" />
        </div>
      )}
      <details>
        <summary className="cursor-pointer text-xs font-medium text-ink-2">If the file is ambiguous</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          <Text label="Input" name="input" hint="Name of the image input." />
          <Text label="Output" name="output" hint="Name of the output to use." />
          <Choice label="Tensor layout" name="layout" options={['', 'NCHW', 'NHWC']} />
          <Choice label="Colour order" name="channels" options={['RGB', 'BGR']} />
          <Choice label="View" name="view" options={['whole', 'center']} />
          {kind === 'classifier' && (
            <Text label="Feature map" name="featureTensor" hint="Tensor name, if it is not detected." />
          )}
        </div>
      </details>
    </>
  );
}

const Text = (props: { label: string; name: string; hint?: string; start?: string }) => (
  <Field label={props.label} hint={props.hint} optional={props.start === undefined}>
    {(control) => <Input {...control} name={props.name} defaultValue={props.start} maxLength={500} />}
  </Field>
);

const Choice = ({ label, name, options }: { label: string; name: string; options: string[] }) => (
  <Field label={label}>
    {(control) => (
      <Select
        {...control}
        name={name}
        options={options.map((value) => ({ value, label: value || 'From the file' }))}
      />
    )}
  </Field>
);
