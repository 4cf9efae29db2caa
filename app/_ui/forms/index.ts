export { Checkbox } from './checkbox';
export type { ControlProps } from './control';
export { Field } from './field';
export { FormError } from './form-error';
export { Input } from './input';
export { RadioGroup } from './radio-group';
export { type Option, Select } from './select';
export { Switch } from './switch';
export { Textarea } from './textarea';
