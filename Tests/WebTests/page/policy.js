// The form of policies before activations named the kind of device. The vectors and the verifier of
// these tests still send it.

export const formOfVectors = { label: 'countersign device-policy 1', namesDeviceKind: false };
