//! Operators that are known at run time, on devices: as on the CPU, where each call has the bits of the typed one.

use crate::{BOTH, Case, device::Gpu, support::data};
use gridfold::{
    Array, DynMap, DynOperator, ElementType, Executor, HostSlices, Map, NanRule, OperatorType,
    Precision, Strategy, StreamError, Variant,
};
use std::convert::Infallible;

pub fn cases() -> Vec<Case> {
    vec![Case::tier1(BOTH, "operators known at run time", |gpu, variant| {
        use ElementType::{F32, F32x3, F64, I64, U8};
        for (operator, element) in [
            (OperatorType::Sum, F32),
            (OperatorType::Variance, F32),
            (OperatorType::ArgMin, F64),
            (OperatorType::Mean.nan(NanRule::Ignore), F32),
            (OperatorType::SumWide, U8),
            (OperatorType::Max, I64),
            (OperatorType::Sum, F32x3),
        ] {
            let operator = DynOperator::new(operator, element).expect("it is defined");
            check(gpu, variant, operator);
        }
        expressions(gpu, variant);
    })]
}

fn bytes(len: usize) -> Vec<u8> {
    let floats = data::elements("wide", 1, len);
    floats.iter().flat_map(|float| float.to_ne_bytes()).collect()
}

fn check(gpu: &Gpu, variant: Variant, operator: DynOperator) {
    let cpu = Executor::cpu();
    let device = Executor::from_context(gpu.context.clone()).host_slices(HostSlices::OnDevice);
    // Whole elements of 4, 8 and 12 bytes.
    let elements = bytes(6 * 1000);
    let on = |executor: &Executor| operator.reduce(executor, &[&elements]).expect("whole elements");
    let (wanted, found) = (on(&cpu), on(&device));
    assert_eq!(found.value, wanted.value, "{operator:?}");
    assert_eq!(&found.adapter, gpu.context.adapter());

    let words = bytemuck::pod_collect_to_vec::<_, u32>(&elements);
    let array: Array<u32> = device.upload(&words).expect("uploads");
    let slices = array.gpu_slices().expect("on a device");
    for strategy in [Strategy::Auto, Strategy::TwoPass] {
        let reducer = operator.on(&gpu.context).variant(variant).strategy(strategy);
        let found = reducer.measure_blocking(&[slices]).expect("whole elements");
        assert_eq!(found.value, wanted.value, "{operator:?}, {strategy:?}");
        let len = elements.len() as u64 / operator.spec().element.size_bytes();
        let fill = |_: usize, part: &mut [u8]| {
            part.copy_from_slice(&elements);
            Ok::<_, Infallible>(())
        };
        let found = reducer.stream_blocking(len, fill).expect("no errors");
        assert_eq!(found.value, wanted.value, "{operator:?}, {strategy:?}");
    }
    assert!(operator.on(&gpu.context).measure_blocking(&[]).is_err());

    let offsets = [0, 3, 3, 400];
    let on = |executor: &Executor| operator.reduce_segments(executor, &elements, &offsets);
    assert_eq!(on(&device).expect("offsets rise"), on(&cpu).expect("offsets rise"));

    let (first, second) = elements.split_at(24 * 100);
    let part = operator.reduce_part(&device, first, 0).expect("whole elements");
    let wanted_part = operator.reduce_part(&cpu, first, 0).expect("whole elements");
    assert_eq!(part.to_bytes(), wanted_part.to_bytes(), "{operator:?}");
    for is_inclusive in [false, true] {
        let on = |executor: &Executor| {
            let after = operator.scan(executor, is_inclusive, Some(&part), second);
            let all = operator.scan(executor, is_inclusive, None, &elements);
            (after.expect("it scans"), all.expect("it scans"))
        };
        assert_eq!(on(&device), on(&cpu), "{operator:?}");
    }
}

fn expressions(gpu: &Gpu, variant: Variant) {
    let sum = DynOperator::new(OperatorType::Sum, ElementType::F32).expect("it is defined");
    let map = DynMap::from(Map::<f32>::new("x * x").expect("an expression"));
    let elements = bytes(3000);
    let fill = |_: usize, part: &mut [u8]| {
        part.copy_from_slice(&elements);
        Ok::<_, Infallible>(())
    };
    let wanted = sum.reduce_map_stream(&Executor::cpu(), &map, 3000, fill).expect("no errors");
    let device = Executor::from_context(gpu.context.clone()).host_slices(HostSlices::OnDevice);
    let found = sum.reduce_map_stream(&device, &map, 3000, fill).expect("no errors");
    assert_eq!(found.value, wanted.value);
    let reducer = sum.on(&gpu.context).variant(variant).precision(Precision::Reproducible);
    let reducer = reducer.mapped(&map).expect("of f32");
    let found = reducer.stream_blocking(3000, fill).expect("no errors");
    assert_eq!(found.value, wanted.value);
    let failed = reducer.stream_blocking(3000, |_, _| Err("no more"));
    assert!(matches!(failed, Err(StreamError::Source("no more"))));
}
