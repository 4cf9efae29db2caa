import { Field, Input } from '@/app/_ui/forms';

/** The ONNX file and what belongs to it by its kind. A file can also be dropped on its field. */
export function FileFields({ kind }: { kind: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FileField
        label={kind === 'decoder' ? 'Decoder' : 'ONNX file'}
        name="model"
        accept=".onnx"
        hint="With its weights inside, at most 512 MB. Choose it, or drop it here."
        required
      />
      {kind === 'classifier' && (
        <FileField
          label="Gradient graph"
          name="gradient"
          accept=".onnx"
          hint="model.grad.onnx, as the trainer writes it: for attacks."
        />
      )}
      {kind === 'oracle' && (
        <FileField
          label="Words"
          name="words"
          accept=".npy,.json"
          hint="An embedding of each class’s name in the order below: .npy, or JSON."
          required
        />
      )}
      {kind === 'decoder' && (
        <FileField
          label="Encoder"
          name="encoder"
          accept=".onnx"
          hint="Finds the place of a picture, from which the decoder draws."
          required
        />
      )}
    </div>
  );
}

/** The button of the platform, as small and quiet as ours. */
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
