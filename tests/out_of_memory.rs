//! Out of memory: a typed error, and everything else as it was. New expressions take no more memory than those before.
//!
//! Mesa's Vulkan driver in software takes device memory from the host, so there a limit on the process's
//! address space makes the device run out of it. Other devices are ignored, SwiftShader among them: it writes
//! to memory without a look whether it got any.

#[cfg(target_os = "linux")]
#[path = "gpu/device.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod device;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    limited::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("left out: address spaces are limited on Linux only");
}

#[cfg(target_os = "linux")]
mod limited {
    use crate::device::{self, Gpu};
    use gridfold::{
        BitXor, Context, CreateError, Error, Executor, GpuSlice, Map, Policy, PrepareError,
        Product, ReadError, Reducer, Sum, wgpu,
    };
    use libtest_mimic::{Arguments, Failed, Trial};
    use rlimit::Resource;
    use std::{
        env,
        os::unix::process::CommandExt,
        process::{Command, ExitCode},
    };

    const MIB: usize = 1 << 20;

    type Case = (&'static str, fn(&Gpu));

    /// They turn off what fails when memory ends. Vulkan's validation layer throws C++ exceptions through Rust's frames. And Rust (1.95)
    /// waits forever for its own lock if memory ends while it prints a backtrace.
    const SETTINGS: [(&str, &str); 2] = [("WGPU_VALIDATION", "0"), ("RUST_BACKTRACE", "0")];

    pub fn main() -> ExitCode {
        if SETTINGS.iter().any(|(name, value)| env::var_os(name).is_none_or(|set| set != *value)) {
            // In a new program, because to change one's own environment is unsafe.
            let this = env::current_exe().expect("a program knows where it is");
            let error = Command::new(this).args(env::args_os().skip(1)).envs(SETTINGS).exec();
            eprintln!("this program did not start once more: {error}");
            return ExitCode::FAILURE;
        }
        env_logger::Builder::from_env(
            env_logger::Env::new().default_filter_or("error,wgpu_hal=off"),
        )
        .init();
        let adapters = match device::adapters_under_test() {
            Ok(adapters) => adapters,
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::FAILURE;
            }
        };
        let cases: [Case; 9] = [
            ("an upload", upload),
            ("a host slice", host_slice),
            ("a write", write),
            ("a write to several buffers", write_to_several_buffers),
            ("a download", download),
            ("preparations", preparations),
            ("a context", context),
            ("a device that wgpu gives up", given_up),
            ("new expressions", |gpu| new_expressions(gpu, [140, 200])),
        ];
        let on_cpu = Trial::test("new expressions, on the CPU", || {
            new_expressions_on_cpu();
            Ok(())
        });
        let mut trials = vec![on_cpu];
        // Seven minutes of one core.
        let long: Case =
            ("three thousand new expressions", |gpu| new_expressions(gpu, [1000, 3000]));
        for listed in adapters.listed {
            let info = listed.adapter().get_info();
            let is_lavapipe =
                info.backend == wgpu::Backend::Vulkan && info.name.starts_with("llvmpipe");
            for (name, case) in cases.into_iter().chain([long]) {
                let is_left_out = !is_lavapipe || name == long.0;
                let name = format!("[{}] {name}", listed.name());
                let adapter = listed.adapter().clone();
                let trial = Trial::test(name, move || {
                    let gpu = Gpu::open(&adapter)?;
                    gpu.check(case).map_err(Failed::from)
                });
                trials.push(trial.with_ignored_flag(is_left_out));
            }
        }
        if trials.len() == 1 {
            // Listed as ignored, so that the silence is not taken for a success.
            let name = "no adapter was asked for: no memory is short";
            trials.push(Trial::test(name, || Ok(())).with_ignored_flag(true));
        }
        // The limit is the whole process's.
        let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    /// As long as this lives, there is hardly any memory.
    struct LittleMemory {
        soft: u64,
        hard: u64,
    }

    impl LittleMemory {
        /// So many bytes more than are in use.
        fn spare(bytes: usize) -> Self {
            let (soft, hard) = Resource::AS.get().expect("limits can be read");
            Resource::AS.set(used_bytes() + bytes as u64, hard).expect("limits can be lowered");
            Self { soft, hard }
        }
    }

    impl Drop for LittleMemory {
        fn drop(&mut self) {
            Resource::AS.set(self.soft, self.hard).expect("limits can be raised again");
        }
    }

    /// Bytes of the address space.
    fn used_bytes() -> u64 {
        bytes_of("VmSize:")
    }

    fn bytes_of(name: &str) -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("so, too");
        let kibibytes: u64 =
            line.trim().trim_end_matches(" kB").parse().expect("a number of kibibytes");
        kibibytes << 10
    }

    #[track_caller]
    fn assert_out_of_memory<T>(outcome: Result<T, Error>, expected: &str) {
        match outcome.map(|_| ()) {
            Err(Error::Prepare(PrepareError::OutOfMemory { what })) => assert_eq!(what, expected),
            outcome => panic!("{outcome:?}"),
        }
    }

    /// Each turn has an expression of its own. From one number of turns to another memory grows by less than 5 MB.
    fn assert_no_growth(turns: [u32; 2], mut turn: impl FnMut(u32)) {
        let mut bytes = [0; 2];
        let mut next = 0;
        for (end, bytes) in turns.into_iter().zip(&mut bytes) {
            (next..end).for_each(&mut turn);
            next = end;
            *bytes = bytes_of("VmRSS:");
        }
        let [before, after] = bytes;
        assert!(after < before + 5_000_000, "{before} bytes, and {after} {turns:?} turns later");
    }

    fn new_expressions_on_cpu() {
        let executor = Executor::cpu();
        assert_no_growth([10_000, 1_000_000], |k| {
            let map = Map::<u32>::new(&format!("x * {k}")).expect("an expression");
            let found = executor.reduce_map(&map, &[1, 2], Sum).expect("reduces").value;
            assert_eq!(found, k.wrapping_mul(3));
        });
    }

    /// The first ones fill the context's cache.
    fn new_expressions(gpu: &Gpu, turns: [u32; 2]) {
        let executor = Executor::from_context(gpu.context.clone());
        let array = executor.upload(&[1u32, 2]).expect("uploads");
        assert_no_growth(turns, |k| {
            let map = Map::<u32>::new(&format!("x * {k}")).expect("an expression");
            let found = array.reduce_map(&map, BitXor).expect("reduces").value;
            assert_eq!(found, k ^ (2 * k));
        });
    }

    fn upload(gpu: &Gpu) {
        let executor = Executor::from_context(gpu.context.clone());
        let array = executor.upload(&[3u32; 1000]).expect("there is memory");
        assert_eq!(array.sum().expect("reduces"), 3000);
        let values = vec![1u32; 512 * MIB / 4];
        {
            let _limit = LittleMemory::spare(96 * MIB);
            assert_out_of_memory(executor.upload(&values), "gridfold array");
            assert_eq!(array.sum().expect("reduces as before"), 3000);
            assert_eq!(array.download().expect("is as before"), [3; 1000]);
        }
        let array = executor.upload(&values).expect("there is memory again");
        assert_eq!(array.sum().expect("reduces"), 512 * (1 << 18));
    }

    /// It needs the memory of some chunks, however long it is.
    fn host_slice(gpu: &Gpu) {
        let executor = Executor::from_context(gpu.context.clone());
        assert_eq!(executor.sum(&[3u32; 1000]).expect("reduces"), 3000);
        let values = vec![1u32; 512 * MIB / 4];
        gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
        let large_chunks = executor.clone().chunk_bytes(256 << 20);
        {
            let _limit = LittleMemory::spare(96 * MIB);
            assert_eq!(executor.sum(&values).expect("reduces"), 512 * (1 << 18));
            assert_out_of_memory(large_chunks.sum(&values), "gridfold stream");
            assert_out_of_memory(large_chunks.reduce(&values, Sum), "gridfold stream");
            assert_eq!(executor.sum(&values).expect("reduces as before"), 512 * (1 << 18));
        }
        assert_eq!(large_chunks.sum(&values).expect("there is memory again"), 512 * (1 << 18));
    }

    fn write(gpu: &Gpu) {
        write_all_or_nothing(gpu, 256 * MIB);
    }

    fn write_to_several_buffers(gpu: &Gpu) {
        let small = gpu.with_limits(|limits| limits.max_buffer_size = 48 << 20);
        write_all_or_nothing(&small.expect("a device"), 240 * MIB);
    }

    /// There is memory for some staging buffers, or for none.
    fn write_all_or_nothing(gpu: &Gpu, bytes: usize) {
        let len = bytes / 4;
        let executor = Executor::from_context(gpu.context.clone());
        let array = executor.upload(&vec![3u32; len]).expect("there is memory");
        assert_eq!(array.min().expect("reduces"), Some(3));
        let values = vec![1u32; len];
        for spare in [32 * MIB, 96 * MIB, 160 * MIB] {
            // What came before is free once the device is idle.
            gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
            let _limit = LittleMemory::spare(spare);
            assert_out_of_memory(array.write(0, &values), "gridfold upload");
            assert_eq!(array.min().expect("reduces as before"), Some(3));
        }
        array.write(0, &values).expect("there is memory again");
        assert_eq!(array.max().expect("reduces"), Some(1));
    }

    fn download(gpu: &Gpu) {
        let executor = Executor::from_context(gpu.context.clone());
        let values = vec![3u32; 64 * MIB / 4];
        let array = executor.upload(&values).expect("there is memory");
        let larger = executor.upload(&vec![3u32; 128 * MIB / 4]).expect("there is memory");
        assert_eq!(array.sum().expect("reduces"), 3 * 64 * (1 << 18));
        gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
        {
            // What wgpu keeps of freed memory has room for a staging buffer: not any more.
            let _taken = [0, 1].map(|_| {
                gpu.device().create_buffer(&wgpu::BufferDescriptor {
                    label: Some("taken"),
                    size: 64 * MIB as u64 + 4,
                    usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            });
            let _limit = LittleMemory::spare(96 * MIB);
            assert_out_of_memory(array.download(), "gridfold readback");
            assert_out_of_memory(larger.download(), "a downloaded array");
            assert_eq!(array.sum().expect("reduces as before"), 3 * 64 * (1 << 18));
        }
        assert!(array.download().expect("there is memory again") == values);
    }

    /// Scratch memory, parameters and bind groups.
    fn preparations(gpu: &Gpu) {
        let executor = Executor::from_context(gpu.context.clone());
        let array = executor.upload(&vec![1.0f32; 2 * MIB]).expect("there is memory");
        let product = Reducer::<f32, _>::new(&gpu.context, Product).policy(Policy::DEFAULT);
        let output = executor.upload(&[0.0f32]).expect("there is memory");
        let output: &GpuSlice<f32> = &output.gpu_slices().expect("on a GPU")[0];
        let slice = &array.gpu_slices().expect("on a GPU")[0];
        // The second slice goes on from a state of the first, and has a partial for each of many blocks: more scratch memory than a
        // preparation takes of the heap, where Rust gives up the process.
        let input =
            [slice.slice(0..5).expect("within"), slice.slice(5..slice.len()).expect("within")];
        let limit = LittleMemory::spare(96 * MIB);
        let mut kept = Vec::new();
        let error = loop {
            match product.prepare(&input, output) {
                Ok(prepared) => kept.push(prepared),
                Err(error) => break error,
            }
            assert!(kept.len() < 100_000, "memory has no end");
        };
        assert!(
            matches!(&error, PrepareError::OutOfMemory { what } if what == "gridfold reduce"),
            "{error:?} after {}",
            kept.len()
        );
        drop(kept);
        assert_eq!(array.product().expect("reduces as before"), 1.0);
        drop(limit);
    }

    fn context(gpu: &Gpu) {
        let device = pollster::block_on(gpu.adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: gpu.device().features(),
            required_limits: gpu.device().limits(),
            ..Default::default()
        }));
        let (device, queue) = device.expect("a device");
        let limit = LittleMemory::spare(32 * MIB);
        let callers = fill(&device);
        let error = Context::new_blocking(&device, &queue).err();
        assert!(matches!(error, Some(CreateError::OutOfMemory { .. })), "{error:?}");
        drop((callers, limit));
        Context::new_blocking(&device, &queue).expect("there is memory again");
    }

    /// wgpu gives up a device where it finds no memory for the caller's `write_buffer`.
    fn given_up(gpu: &Gpu) {
        let executor = Executor::from_context(gpu.context.clone());
        let array = executor.upload(&vec![3u32; 256 * MIB / 4]).expect("there is memory");
        let sum = Reducer::<u32, _>::new(&gpu.context, Sum);
        let slices = array.gpu_slices().expect("on a GPU");
        let mut encoder = gpu.encoder();
        let readback = sum.record_readback(&mut encoder, slices).expect("records");
        gpu.submit(encoder);
        let values = vec![0u8; 256 * MIB];
        {
            let _limit = LittleMemory::spare(32 * MIB);
            let scope = gpu.device().push_error_scope(wgpu::ErrorFilter::OutOfMemory);
            gpu.context.queue().write_buffer(slices[0].buffer(), 0, &values);
            let error = pollster::block_on(scope.pop());
            assert!(matches!(error, Some(wgpu::Error::OutOfMemory { .. })), "{error:?}");
        }
        match readback.wait_blocking() {
            Ok(value) => assert_eq!(value, 3 * 256 * (1 << 18)),
            Err(error) => assert_eq!(error, ReadError::DeviceLost),
        }
        for error in [
            array.sum().map(|_| ()).expect_err("lost"),
            array.write(0, &[0]).expect_err("lost"),
            array.download().map(|_| ()).expect_err("lost"),
            executor.upload(&[1u32]).map(|_| ()).expect_err("lost"),
        ] {
            assert!(matches!(error, Error::Prepare(PrepareError::DeviceLost)), "{error:?}");
        }
        let error = Context::new_blocking(gpu.device(), gpu.context.queue()).expect_err("lost");
        assert!(matches!(error, CreateError::DeviceLost), "{error:?}");
    }

    /// Takes what memory there is, to the last bytes.
    fn fill(device: &wgpu::Device) -> Vec<wgpu::Buffer> {
        let mut buffers = Vec::new();
        for size in [1 << 20, 1 << 16, 1 << 12, 1 << 8, 16] {
            loop {
                let scope = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
                let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                    label: None,
                    size,
                    usage: wgpu::BufferUsages::STORAGE,
                    mapped_at_creation: false,
                });
                if pollster::block_on(scope.pop()).is_some() {
                    break;
                }
                buffers.push(buffer);
            }
        }
        buffers
    }
}
